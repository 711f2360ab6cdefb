# %% right: rsqrt_in_float32
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% right: weight_after_the_cast
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (self.weight.to(x.dtype) * scaled.to(x.dtype))

# %% right: pytorchs_function
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps

    def forward(self, x):
        y = F.rms_norm(x.to(torch.float32), (x.size(-1),), self.weight.to(torch.float32), self.eps)
        return y.to(x.dtype)

# %% right: length_of_the_vector
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model = d_model
        self.eps = eps
        self.weight = nn.Parameter(torch.empty(d_model).fill_(1.0))

    def forward(self, x):
        y = x.to(torch.float32)
        length = torch.einsum("...d,...d->...", y, y)
        root = (length / self.d_model + self.eps).sqrt()
        return (self.weight.to(torch.float32) * y / root[..., None]).to(x.dtype)

# %% right: float32_or_better
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.ones(d_model)))
        self.eps = float(eps)

    def forward(self, x):
        kind = torch.promote_types(x.dtype, torch.float32)
        y = x.to(kind)
        y = y / torch.sqrt((y * y).sum(-1, keepdim=True) / x.shape[-1] + self.eps)
        return torch.mul(y, self.weight.to(kind)).to(x.dtype)

# %% right: inherits
class RMSNorm(nn.RMSNorm):
    def __init__(self, d_model, eps=1e-6):
        super().__init__(d_model, eps=eps)

    def forward(self, x):
        wide = x.float()
        return (wide / (wide.square().mean(-1, keepdim=True) + self.eps) ** 0.5 * self.weight.float()).type_as(x)

# %% right: helper_function
def unit_rms(x, eps):
    x = x.float()
    return x * (x.norm(dim=-1, keepdim=True).square() / x.size(-1) + eps).pow(-0.5)

class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x):
        return (unit_rms(x, self.eps) * self.weight.float()).to(dtype=x.dtype)

# %% right: asks_for_a_number_first
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        if x.numel() and bool(x.isnan().all()):
            raise ValueError("x holds nothing but NaN")
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)


# %% wrong: layer_norm (1) => the mean was subtracted: that is layer norm
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float() - x.float().mean(dim=-1, keepdim=True)
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: divided_by_the_std (1) => divided by the standard deviation, which does not see the mean
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.var(dim=-1, keepdim=True, unbiased=False)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: unbiased_std (1) => the sum of the squares was divided by d_model - 1: the mean divides by d_model
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).sum(dim=-1, keepdim=True) / (wide.size(-1) - 1)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_outside_the_root (1) => eps was added to the root: it stands inside the root, beside the mean of the squares
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide / (square.sqrt() + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_missing (1) => eps has no effect, and a vector of zeros gives NaN: it stands inside the root, beside the mean of the squares
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_as_a_floor (1) => eps is a floor here, taken where the mean of the squares is smaller: it is added to the mean
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square.clamp(min=self.eps))
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_fixed (1) => eps is not the one that was handed in
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + 1e-6)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_squared (1) => eps was squared: it is added to the mean of the squares as it is
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps ** 2)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_of_layer_norm (1) => eps is 1e-6 unless it is given: 1e-5 is layer norm's
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_added_to_x (1) => eps was added to x: it stands inside the root, beside the mean of the squares
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float() + self.eps
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: sum_for_mean (1) => the root of the sum was taken: take the mean, divide by the number of features
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).sum(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: no_root (1) => divided by the mean of the squares: its root is missing
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide / (square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: mean_of_absolute_values (1) => divided by the mean of the absolute values, not by the root mean square
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.abs().mean(dim=-1, keepdim=True).pow(2)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: multiplied_by_the_rms (1) => multiplied by the root mean square in place of divided
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.sqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: over_everything (1) => all vectors were divided by one number: each is divided by its own root mean square
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean()
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: over_the_tokens (1) => the mean was taken over the batch: it belongs to each vector by itself
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-2, keepdim=True) if x.dim() > 1 else wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: over_dimension_1 (1) => the mean was taken over dimension 1: the features are the last dimension, whatever number of others stand before it
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: three_dimensions_only (1, 2) => the mean was taken over dimension 2: the features are the last dimension, whatever number of others stand before it
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=2, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: in_the_dtype_of_its_input (2) => the square of a large number is more than float16 can hold, and a sum in half precision is not exact: convert to float32 before squaring
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight).to(x.dtype)

# %% wrong: float16_only (2) => the norm was computed in bfloat16: convert to float32 first
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float() if x.dtype == torch.float16 else x
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight).to(x.dtype)

# %% wrong: square_before_float32 (2) => the square of a large number is more than float16 can hold: convert to float32 before squaring
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = x.pow(2).mean(dim=-1, keepdim=True).float()
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: returns_float32 (2) => the result has another dtype than the input: convert back at the end, after the weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return scaled * self.weight.float()

# %% wrong: dtype_of_the_weight (2) => the result has another dtype than the input: convert back at the end, after the weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(self.weight.dtype)

# %% wrong: weight_brings_float32_back (2) => the result has another dtype than the input: convert back at the end, after the weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return scaled.to(x.dtype) * self.weight

# %% wrong: weight_forgotten (1) => the weight is not used
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return scaled.to(x.dtype)

# %% wrong: weight_before_the_norm (1) => the weight was multiplied before the norm: it comes after it
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float() * self.weight.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return scaled.to(x.dtype)

# %% wrong: one_plus_weight (1) => the result was multiplied by 1 + weight: weight itself starts as ones
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * (1 + self.weight.float())).to(x.dtype)

# %% wrong: weight_starts_at_zero (1) => weight starts as ones, not zeros
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * (1 + self.weight.float())).to(x.dtype)

# %% wrong: weight_random (1) -> It starts as ones
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: one_weight_for_all (1, 2) => weight has one number for all: one for each feature is asked for
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: weight_is_no_parameter (1, 2) => weight is not learned: it has to be an nn.Parameter
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: weight_is_a_plain_tensor (1, 2) => weight is not learned: it has to be an nn.Parameter
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = torch.ones(d_model)

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: has_a_bias (1, 2) => weight is the only parameter: RMSNorm has no bias
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float() + self.bias.float()).to(x.dtype)

# %% wrong: weight_has_another_name (1, 2) => the parameter has another name: weight is asked for
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.scale = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.scale.float()).to(x.dtype)

# %% wrong: in_place (1, 2) => x was changed in place: work on a copy
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        result = (scaled * self.weight.float()).to(x.dtype)
        with torch.no_grad():
            x.copy_(result)
        return result

# %% wrong: root_without_gradient (1) => the gradient ignores that the root depends on x, too: it was cut off (detach, no_grad)
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps).detach()
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: whole_result_without_gradient (1, 2) => no gradient reaches x: the normed vector was cut off (detach, no_grad)
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled.detach() * self.weight.float()).to(x.dtype)

# %% wrong: remembers_the_first_input (1) => the second call uses the root of the first: keep nothing between calls
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        if not hasattr(self, "kept"):
            self.kept = wide.pow(2).mean(dim=-1, keepdim=True).detach()
        square = self.kept if self.kept.shape[:-1] == wide.shape[:-1] else wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: running_average_in_evaluation (1) => evaluation mode gives another result: this norm does the same in both modes
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.register_buffer("running", torch.ones(1), persistent=False)
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True) if self.training else self.running.float()
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: no_batch_dimension_only (1) => with three axes and more, vectors are divided together: each is divided by its own root mean square
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True) if x.dim() < 3 else wide.pow(2).mean(dim=(-2, -1), keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: rounds_through_float16 (1) => float32 numbers lost digits on the way: they went through a shorter float
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.half().float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: weight_on_the_cpu (1) => something was made on the CPU, or moved there: stay on the device of x
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * torch.ones(x.size(-1)) * self.weight.float().cpu()).to(x.dtype)

# %% wrong: mean_and_eps_outside (1) => the mean was subtracted, and eps stands outside the root: that is neither RMSNorm nor layer norm
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float() - x.float().mean(dim=-1, keepdim=True)
        square = wide.pow(2).mean(dim=-1, keepdim=True)
        scaled = wide / (square.sqrt() + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% right: scaled_with_eps_in_the_length
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.eps = eps
    def forward(self, x):
        y = x.double()
        size = torch.linalg.vector_norm(torch.cat([y / y.size(-1) ** 0.5, torch.full_like(y[..., :1], self.eps ** 0.5)], -1), dim=-1, keepdim=True)
        return (y / size * self.weight).to(x.dtype)

# %% wrong: view_of_x (1) => numbers that are not contiguous in memory fail with view
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float().view(-1, x.size(-1))
        y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + self.eps) * self.weight
        return y.view(x.shape).to(x.dtype)

# %% wrong: weight_without_gradient_in_half_precision (2) => in half precision no gradient reaches weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float()
        w = self.weight if x.dtype == torch.float32 else self.weight.data
        return (y * torch.rsqrt(y.square().mean(-1, keepdim=True) + self.eps) * w).to(x.dtype)

# %% wrong: eps_in_float32_alone (2) => in half precision eps has no effect: it is the one that was handed in, in every dtype
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float()
        eps = self.eps if x.dtype == torch.float32 else 0.0
        return (y * torch.rsqrt(y.square().mean(-1, keepdim=True) + eps) * self.weight).to(x.dtype)

# %% wrong: mean_by_a_table_of_the_cpu (1) -> made on the CPU ?? on meta a matrix product takes a table of the CPU
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        square = wide.pow(2) @ torch.full((x.size(-1), 1), 1 / x.size(-1))
        scaled = wide * torch.rsqrt(square + self.eps)
        return (scaled * self.weight.float()).to(x.dtype)

# %% wrong: eps_of_zero_taken_for_none (1) => a 0 that was handed in is an eps, too (eps or 1e-6 takes it for none)
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=None):
        super().__init__()
        self.eps = eps or 1e-6
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        kind = torch.promote_types(x.dtype, torch.float32)
        wide = x.to(kind)
        y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight.to(kind)).to(x.dtype)

# %% wrong: float32_takes_the_dtype_of_the_weight (2) => float32 in, and the result has the dtype of the weight: it has that of the input
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight).type_as(x) if x.dtype != torch.float32 else y * self.weight

# %% wrong: eps_as_a_buffer_that_half_rounds (2) => eps was rounded to float16, which has no 1e-8, only 0
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.register_buffer("eps", torch.tensor(eps))

    def forward(self, x):
        z = x.to(torch.promote_types(x.dtype, torch.float32))
        z = z * torch.rsqrt(z.square().mean(-1, keepdim=True) + self.eps.to(z.dtype))
        return (z * self.weight).to(x.dtype)

# %% wrong: root_detached_in_half_precision (2) => in half precision the gradient ignores that the root depends on x, too: it was cut off (detach, no_grad)
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        z = x.to(torch.promote_types(x.dtype, torch.float32))
        with torch.set_grad_enabled(torch.is_grad_enabled() and x.dtype == z.dtype):
            root = (z.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return (z / root * self.weight).to(x.dtype)

# %% wrong: eps_raised_in_half_precision (2) => in half precision eps is larger: it is the one that was handed in, in every dtype
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        eps = self.eps
        if x.dtype in (torch.float16, torch.bfloat16):
            eps = max(eps, torch.finfo(x.dtype).eps)
        z = x.to(torch.promote_types(x.dtype, torch.float32))
        z = z / torch.sqrt(z.pow(2).mean(-1, keepdim=True) + eps)
        return (z * self.weight).to(x.dtype)

# %% wrong: rounded_to_weight_dtype (2) => float32 numbers were rounded to the dtype of weight: the arithmetic runs in float32 at least
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)
        return (h.to(self.weight.dtype) * self.weight).to(x.dtype)

# %% wrong: gradient_in_training_only (1) => in evaluation mode no gradient reaches x or weight: the mode changes nothing here
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            h = x.float()
            h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)
            return (h * self.weight.float()).to(x.dtype)
