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


# %% wrong: layer_norm -> the mean was subtracted !! float16 can hold
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

# %% wrong: divided_by_the_std -> standard deviation !! float16 can hold
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

# %% wrong: unbiased_std -> d_model - 1 !! float16 can hold
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

# %% wrong: eps_outside_the_root -> stands inside the root
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

# %% wrong: eps_missing -> eps stands inside the root
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

# %% wrong: eps_as_a_floor -> eps has no effect
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

# %% wrong: eps_fixed -> is eps the one that was handed in
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

# %% wrong: eps_squared -> eps has no effect
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

# %% wrong: eps_of_layer_norm -> what is eps, and where
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

# %% wrong: eps_added_to_x -> eps has no effect
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

# %% wrong: sum_for_mean -> the root of the sum was taken !! float16 can hold
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

# %% wrong: no_root -> its root is missing !! float16 can hold
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

# %% wrong: mean_of_absolute_values -> mean of the absolute values !! float16 can hold
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

# %% wrong: multiplied_by_the_rms -> multiplied by the root mean square
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

# %% wrong: over_everything -> divided by its own root mean square !! root must be computed in float32
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

# %% wrong: over_the_tokens -> taken over the batch !! root must be computed in float32
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

# %% wrong: over_dimension_1 -> may stand before the features
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

# %% wrong: three_dimensions_only -> the features are the last one
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

# %% wrong: in_the_dtype_of_its_input -> convert to float32 before squaring
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

# %% wrong: float16_only -> the norm was computed in bfloat16
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

# %% wrong: square_before_float32 -> convert to float32 before squaring
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

# %% wrong: returns_float32 -> convert back to the dtype of the input
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

# %% wrong: dtype_of_the_weight -> convert back to the dtype of the input
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

# %% wrong: weight_brings_float32_back -> convert back to the dtype of the input
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

# %% wrong: weight_forgotten -> with weights 10 and 0.5
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

# %% wrong: weight_before_the_norm -> with weights 10 and 0.5
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

# %% wrong: one_plus_weight -> 1 + weight !! float16 can hold
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

# %% wrong: weight_starts_at_zero -> weight starts as ones
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

# %% wrong: weight_random -> weight starts as ones !! float16 can hold
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

# %% wrong: one_weight_for_all -> one number for each feature
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

# %% wrong: weight_is_no_parameter -> nn.Parameter
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

# %% wrong: weight_is_a_plain_tensor -> nn.Parameter
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

# %% wrong: has_a_bias -> RMSNorm has no bias
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

# %% wrong: weight_has_another_name -> parameter called weight
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

# %% wrong: in_place -> changed in place
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

# %% wrong: root_without_gradient -> was the root cut off
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

# %% wrong: whole_result_without_gradient -> no gradient
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

# %% wrong: remembers_the_first_input -> kept from an earlier call
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

# %% wrong: running_average_in_evaluation -> the same in both modes
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

# %% wrong: no_batch_dimension_only -> leading dimensions
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

# %% wrong: rounds_through_float16 -> lost digits
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

# %% wrong: weight_on_the_cpu -> on the device of x
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

# %% wrong: mean_and_eps_outside -> the mean was subtracted
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

# %% wrong: view_of_x -> contiguous
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float().view(-1, x.size(-1))
        y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + self.eps) * self.weight
        return y.view(x.shape).to(x.dtype)

# %% wrong: weight_without_gradient_in_half_precision -> no gradient reaches weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float()
        w = self.weight if x.dtype == torch.float32 else self.weight.data
        return (y * torch.rsqrt(y.square().mean(-1, keepdim=True) + self.eps) * w).to(x.dtype)

# %% wrong: eps_in_float32_alone -> eps stands inside the root
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps
    def forward(self, x):
        y = x.float()
        eps = self.eps if x.dtype == torch.float32 else 0.0
        return (y * torch.rsqrt(y.square().mean(-1, keepdim=True) + eps) * self.weight).to(x.dtype)

# %% wrong: mean_by_a_table_of_the_cpu -> use the input's device ?? on meta a matrix product takes a table of the CPU
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

# %% wrong: eps_of_zero_taken_for_none -> with eps = 0 gives 1 twice
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

# %% wrong: float32_takes_the_dtype_of_the_weight -> with a weight in float64
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.float()
        y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight).type_as(x) if x.dtype != torch.float32 else y * self.weight

# %% wrong: eps_as_a_buffer_that_half_rounds -> was eps rounded to float16
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.register_buffer("eps", torch.tensor(eps))

    def forward(self, x):
        z = x.to(torch.promote_types(x.dtype, torch.float32))
        z = z * torch.rsqrt(z.square().mean(-1, keepdim=True) + self.eps.to(z.dtype))
        return (z * self.weight).to(x.dtype)

# %% wrong: root_detached_in_half_precision -> was the root cut off !! reaches weight
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

# %% wrong: eps_raised_in_half_precision -> the one that was handed in, in every dtype !! convert x to float32
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

# %% wrong: rounded_to_weight_dtype -> rounded to the dtype of weight
class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)
        return (h.to(self.weight.dtype) * self.weight).to(x.dtype)

# %% wrong: gradient_in_training_only -> in evaluation (eval) no gradient reaches weight
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
