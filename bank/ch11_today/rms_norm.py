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

# %% wrong: layer_norm -> mean
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

# %% wrong: divided_by_the_std -> standard deviation
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

# %% wrong: unbiased_std -> d_model - 1
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

# %% wrong: eps_outside_the_root -> eps
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

# %% wrong: eps_missing -> eps
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

# %% wrong: eps_as_a_floor -> eps
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

# %% wrong: eps_fixed -> eps
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

# %% wrong: eps_squared -> eps
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

# %% wrong: eps_of_layer_norm -> 1e-6
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

# %% wrong: eps_added_to_x -> eps
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

# %% wrong: sum_for_mean -> mean
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

# %% wrong: no_root -> root
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

# %% wrong: mean_of_absolute_values -> square
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

# %% wrong: multiplied_by_the_rms -> divide
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

# %% wrong: over_everything -> each token
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

# %% wrong: over_the_tokens -> last dimension
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

# %% wrong: over_dimension_1 -> last dimension
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

# %% wrong: three_dimensions_only -> leading
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

# %% wrong: in_the_dtype_of_its_input -> float32
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

# %% wrong: float16_only -> bfloat16
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

# %% wrong: square_before_float32 -> float32
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

# %% wrong: returns_float32 -> dtype
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

# %% wrong: dtype_of_the_weight -> dtype
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

# %% wrong: weight_brings_float32_back -> dtype
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

# %% wrong: weight_forgotten -> weight
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

# %% wrong: weight_before_the_norm -> weight
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

# %% wrong: one_plus_weight -> weight
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

# %% wrong: weight_starts_at_zero -> 1
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

# %% wrong: weight_random -> 1
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

# %% wrong: one_weight_for_all -> d_model
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

# %% wrong: weight_is_no_parameter -> parameter
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

# %% wrong: weight_is_a_plain_tensor -> parameter
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

# %% wrong: has_a_bias -> bias
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

# %% wrong: weight_has_another_name -> weight
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

# %% wrong: in_place -> in place
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

# %% wrong: root_without_gradient -> gradient
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

# %% wrong: whole_result_without_gradient -> gradient
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

# %% wrong: remembers_the_first_input -> call
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

# %% wrong: running_average_in_evaluation -> eval
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

# %% wrong: no_batch_dimension_only -> leading
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

# %% wrong: rounds_through_float16 -> float
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

# %% wrong: weight_on_the_cpu -> device
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

# %% wrong: mean_and_eps_outside -> mean
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
