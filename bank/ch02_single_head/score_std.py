# %% right: einsum
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(2, n, d_k, generator=generator)
    scores = torch.einsum("nd,nd->n", q, k)
    return (scores / d_k ** 0.5 if scaled else scores).std()

# %% right: batched_matmul
import math
def score_std(d_k, n=20000, scaled=False, generator=None):
    queries = torch.randn((n, 1, d_k), generator=generator)
    keys = torch.randn((n, d_k, 1), generator=generator)
    factor = 1 / math.sqrt(d_k) if scaled else 1.0
    return float(torch.bmm(queries, keys).flatten().std() * factor)

# %% right: biased_from_the_mean
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator, dtype=torch.float64)
    k = torch.randn(n, d_k, generator=generator, dtype=torch.float64)
    scores = (q * k).sum(1)
    if scaled:
        scores /= d_k ** 0.5
    return ((scores - scores.mean()) ** 2).mean().sqrt().item()

# %% right: one_pair_at_a_time
def score_std(d_k, n=20000, scaled=False, generator=None):
    scores = []
    for _ in range(n):
        pair = torch.randn(2, d_k, generator=generator)
        scores.append(pair.prod(0).sum())
    spread = torch.stack(scores).std()
    return spread / d_k ** 0.5 if scaled else spread

# %% right: query_scaled
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    if scaled:
        q = q * d_k ** -0.5
    return torch.std(torch.linalg.vecdot(q, torch.randn(n, d_k, generator=generator)))

# %% right: normal_and_root_mean_square
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.empty(n, d_k).normal_(generator=generator)
    k = torch.empty(n, d_k).normal_(generator=generator)
    scores = q.mul(k).sum(-1) / (d_k ** 0.5) ** int(scaled)
    return scores.square().mean().sqrt().item()

# %% wrong: variance -> that is the variance
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).var().item()

# %% wrong: no_sum -> sum over d_k forgotten
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q * k
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: query_with_itself -> compared with itself
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    scores = (q * q).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: added -> added to the key instead of multiplied
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q + k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: uniform -> mean 0 and variance 1
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.rand(n, d_k, generator=generator), torch.rand(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: mean_absolute -> mean of the absolute scores
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).abs().mean().item()

# %% wrong: averaged_products -> averaged over d_k, not summed
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).mean(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: summed_over_pairs -> the sum ran over the pairs
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(0)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scaled_ignored -> scaled=True changes nothing
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    return (q * k).sum(-1).std().item()

# %% wrong: scale_by_d_k -> divides by d_k, not by its square root
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k if scaled else scores).std().item()

# %% wrong: multiplied_by_root -> multiplies by √d_k
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores * d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scaled_turned_round -> although scaled=False
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores if scaled else scores / d_k ** 0.5).std().item()

# %% wrong: formula -> a formula or a fixed seed is no measurement
def score_std(d_k, n=20000, scaled=False, generator=None):
    return 1.0 if scaled else d_k ** 0.5

# %% wrong: fixed_seed -> a fixed seed is no measurement
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: generator_ignored -> generators in one state gave two different numbers
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k), torch.randn(n, d_k)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: generator_for_the_queries_only -> generators in one state gave two different numbers
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: n_ignored -> is n used
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(20000, d_k, generator=generator), torch.randn(20000, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: one_query_for_all -> of its own
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = k @ q
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: sum_of_squares_undivided -> depend on n
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return ((scores / d_k ** 0.5 if scaled else scores).square().sum() / 20000).sqrt().item()

# %% wrong: not_one_number -> one number expected
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1, keepdim=True)
    return (scores / d_k ** 0.5 if scaled else scores).std(0)

# %% wrong: printed_not_returned -> nothing was returned
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    print((scores / d_k ** 0.5 if scaled else scores).std().item())

# %% wrong: all_pairs_of_a_few -> of its own
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(8, d_k, generator=generator), torch.randn(max(n // 8, 1), d_k, generator=generator)
    scores = (q @ k.T).flatten()
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scale_from_eight -> d_k = 4
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / 8 if scaled else scores).std().item()

# %% wrong: generator_required -> without a generator
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator.manual_seed(generator.initial_seed())
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: n_by_n -> depend on n
def score_std(d_k, n=20000, scaled=False, generator=None):

    n = int(n ** 0.5)
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q @ k.T
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: printed -> nothing was returned
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=1)
    print(scores.std())

# %% wrong: std_along_features -> one number expected
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q * k
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std(dim=1)

# %% wrong: full_table -> a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q @ k.T)[0]
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: one_pair -> a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(d_k, generator=generator), torch.randn(d_k, generator=generator)
    scores = q * k
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: ratio_upside_down -> not √d_k by the spread ?? with many pairs the ratio and one over it are both 1
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    spread = (q * k).sum(-1).std().item()
    return d_k ** 0.5 / spread if scaled else spread

# %% wrong: kept_where_no_generator_is_given -> is anything kept
measured = {}

def score_std(d_k, n=20000, scaled=False, generator=None):
    if generator is None and (d_k, n, scaled) in measured:
        return measured[d_k, n, scaled]
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    measured[d_k, n, scaled] = scores.std().item()
    return measured[d_k, n, scaled]

# %% wrong: seed_of_the_generator_read -> its state goes on
def score_std(d_k, n=20000, scaled=False, generator=None):
    if generator is not None:
        generator = torch.Generator().manual_seed(generator.initial_seed())
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% right: normal_from_uniform
def score_std(d_k, n=20000, scaled=False, generator=None):
    import math
    def normal():
        u = torch.rand(n, d_k, 2, generator=generator, dtype=torch.float64)
        return (-2 * (1 - u[..., 0]).log()).sqrt() * (2 * math.pi * u[..., 1]).cos()
    s = (normal() * normal()).sum(1)
    return float(s.std()) / (math.sqrt(d_k) if scaled else 1)

# %% wrong: default_generator_made_anew -> every call draws afresh
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator = generator or torch.Generator()
    s = (torch.randn(n, d_k, generator=generator) * torch.randn(n, d_k, generator=generator)).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: keys_are_the_neighbours_queries -> used again in the next
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    s = (q * q.roll(1, 0)).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: scaled_is_a_formula -> measure it, too
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    if scaled:
        return 1.0 + 0 * s.std().item()
    return s.std().item()

# %% wrong: arguments_in_another_order -> come in this order
def score_std(d_k, n=20000, generator=None, scaled=False):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: uniform_of_variance_1 -> from a normal distribution ?? it shows only in how a hundred measurements with d_k = 1 vary
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = (torch.rand(2, n, d_k, generator=generator) - .5) * 12 ** .5
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: thousand_pairs_at_most -> is it limited
def score_std(d_k, n=20000, scaled=False, generator=None):
    n = min(n, 1000)
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: another_default_of_n -> the 20000 of the stub
def score_std(d_k, n=2000, scaled=False, generator=None):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: twenty_thousand_pairs_at_most -> is it limited
def score_std(d_k, n=20000, scaled=False, generator=None):
    n = min(n, 20000)
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: chunks_lose_the_rest -> drawn in portions
def score_std(d_k, n=20000, scaled=False, generator=None):
    parts = []
    size = min(n, 1000)
    for _ in range(n // size):
        q, k = torch.randn(size, d_k, generator=generator), torch.randn(size, d_k, generator=generator)
        parts.append((q * k).sum(1))
    s = torch.cat(parts)
    return (s / d_k ** 0.5 if scaled else s).std().item()

# %% wrong: keys_are_shuffled_queries -> queries of other pairs
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = q[torch.randperm(n, generator=generator)]
    s = (q * k).sum(1) / (d_k ** 0.5 if scaled else 1)
    return s.std().item()

# %% wrong: drawn_numbers_standardised -> Take them as drawn
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    q, k = (q - q.mean()) / q.std(), (k - k.mean()) / k.std()
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: variances_of_products_added -> not of the products that ?? it takes hundreds of measurements of two pairs to tell it apart
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    variance = (q * k).var(dim=0).sum()          # variances of independent terms add up
    if scaled:
        variance = variance / d_k
    return variance.sqrt().item()

# %% wrong: generator_gives_a_seed -> leave the other alone
def score_std(d_k, n=20000, scaled=False, generator=None):
    if generator is not None:
        torch.manual_seed(int(torch.randint(2 ** 31, (1,), generator=generator)))
    q, k = torch.randn(n, d_k), torch.randn(n, d_k)
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()
