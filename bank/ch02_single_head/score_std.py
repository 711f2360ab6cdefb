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

# %% wrong: variance (1) => that is the variance: the standard deviation is its root
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).var().item()

# %% wrong: no_sum (1) => was the sum over d_k forgotten? A score varies far more than one entry
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q * k
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: query_with_itself (1) => √2 times too much: a query was compared with itself
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    scores = (q * q).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: added (1) => √2 times too much: the query was added to the key instead of multiplied
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q + k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: uniform (1) => the entries must have mean 0 and variance 1: torch.rand draws between 0 and 1, torch.randn does not
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.rand(n, d_k, generator=generator), torch.rand(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: mean_absolute (1) => that is the mean of the absolute scores, not their standard deviation
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).abs().mean().item()

# %% wrong: averaged_products (1) => the products were averaged over d_k, not summed
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).mean(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: summed_over_pairs (1) => the sum ran over the pairs: the products of one pair lie along d_k
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(0)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scaled_ignored (1) => scaled=True changes nothing: the scores should be divided by √d_k
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    return (q * k).sum(-1).std().item()

# %% wrong: scale_by_d_k (1) => scaled=True divides by d_k, not by its square root
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k if scaled else scores).std().item()

# %% wrong: multiplied_by_root (1) => scaled=True multiplies by √d_k; it should divide
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores * d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scaled_turned_round (1) => the scale was put in although scaled=False, and left out with scaled=True
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores if scaled else scores / d_k ** 0.5).std().item()

# %% wrong: formula (2) => nothing is drawn from the generator: a formula or a fixed seed is no measurement
def score_std(d_k, n=20000, scaled=False, generator=None):
    return 1.0 if scaled else d_k ** 0.5

# %% wrong: fixed_seed (1, 2) => nothing is drawn from the generator: a formula or a fixed seed is no measurement
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: generator_ignored (2) => queries and keys must both be drawn from the generator that is passed
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k), torch.randn(n, d_k)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: generator_for_the_queries_only (2) => queries and keys must both be drawn from the generator that is passed
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: n_ignored (2) => the result hardly varies: the number of pairs is n, and n is not used
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(20000, d_k, generator=generator), torch.randn(20000, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: one_query_for_all (1, 2) => every pair needs a query and a key of its own: here some meet many
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = k @ q
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: sum_of_squares_undivided (1) => the result depends on n: the sum of squares was not divided by n
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return ((scores / d_k ** 0.5 if scaled else scores).square().sum() / 20000).sqrt().item()

# %% wrong: not_one_number (1) => one number is expected: a table with one entry came
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1, keepdim=True)
    return (scores / d_k ** 0.5 if scaled else scores).std(0)

# %% wrong: printed_not_returned (1, 2) => nothing was returned
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    print((scores / d_k ** 0.5 if scaled else scores).std().item())

# %% wrong: all_pairs_of_a_few (1, 2) => every pair needs a query and a key of its own: here some meet many
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(8, d_k, generator=generator), torch.randn(max(n // 8, 1), d_k, generator=generator)
    scores = (q @ k.T).flatten()
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: scale_from_eight (1) => d_k = 64 was right, and d_k = 4 is not: the scale must follow d_k
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / 8 if scaled else scores).std().item()

# %% wrong: generator_required (1) => it works without a generator, too, and this asks for one
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator.manual_seed(generator.initial_seed())
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% wrong: n_by_n (1, 2) => every query met every key: n pairs, not n × n, each with a query and a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):

    n = int(n ** 0.5)
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q @ k.T
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: printed (1, 2) => nothing was returned
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=1)
    print(scores.std())

# %% wrong: std_along_features (1, 2) => one number is expected: the standard deviation of all n scores
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = q * k
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std(dim=1)

# %% wrong: full_table (1, 2) => every pair needs a query and a key of its own: here some meet many
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q @ k.T)[0]
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: one_pair (1, 2) => one pair was drawn, and the spread of its products measured: n pairs, each with a query and a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):

    q, k = torch.randn(d_k, generator=generator), torch.randn(d_k, generator=generator)
    scores = q * k
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: ratio_upside_down (1) -> not √d_k by the spread ?? with many pairs the ratio and one over it are both 1
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    spread = (q * k).sum(-1).std().item()
    return d_k ** 0.5 / spread if scaled else spread

# %% wrong: kept_where_no_generator_is_given (2) => without a generator one number came twice: is anything kept from call to call, or is one seed taken for all? Every call draws afresh
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

# %% wrong: seed_of_the_generator_read (2) => the seed of the generator was read, or the generator copied: draw from it as it is handed in, its state goes on
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

# %% wrong: default_generator_made_anew (2) => without a generator one number came twice: is anything kept from call to call, or is one seed taken for all? Every call draws afresh
def score_std(d_k, n=20000, scaled=False, generator=None):
    generator = generator or torch.Generator()
    s = (torch.randn(n, d_k, generator=generator) * torch.randn(n, d_k, generator=generator)).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: keys_are_the_neighbours_queries (2) => a vector of one pair is used again in the next: each pair has a query and a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    s = (q * q.roll(1, 0)).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: scaled_is_a_formula (2) => with scaled=True nothing is drawn: measure it, too
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    if scaled:
        return 1.0 + 0 * s.std().item()
    return s.std().item()

# %% wrong: arguments_in_another_order (1) => d_k, n and scaled come in this order
def score_std(d_k, n=20000, generator=None, scaled=False):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: uniform_of_variance_1 (2) -> from a normal distribution ?? it shows only in how a hundred measurements with d_k = 1 vary
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = (torch.rand(2, n, d_k, generator=generator) - .5) * 12 ** .5
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: thousand_pairs_at_most (2) => the number of pairs is n: is it limited, or does a rest remain where they are drawn in portions?
def score_std(d_k, n=20000, scaled=False, generator=None):
    n = min(n, 1000)
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: another_default_of_n (1) => where no n is given, it is the 20000 of the stub
def score_std(d_k, n=2000, scaled=False, generator=None):
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: twenty_thousand_pairs_at_most (2) => the number of pairs is n: is it limited, or does a rest remain where they are drawn in portions?
def score_std(d_k, n=20000, scaled=False, generator=None):
    n = min(n, 20000)
    q, k = torch.randn(2, n, d_k, generator=generator)
    s = (q * k).sum(1)
    return (s.std() / (d_k ** .5 if scaled else 1)).item()

# %% wrong: chunks_lose_the_rest (2) => the number of pairs is n: is it limited, or does a rest remain where they are drawn in portions?
def score_std(d_k, n=20000, scaled=False, generator=None):
    parts = []
    size = min(n, 1000)
    for _ in range(n // size):
        q, k = torch.randn(size, d_k, generator=generator), torch.randn(size, d_k, generator=generator)
        parts.append((q * k).sum(1))
    s = torch.cat(parts)
    return (s / d_k ** 0.5 if scaled else s).std().item()

# %% wrong: keys_are_shuffled_queries (1, 2) => the keys are queries of other pairs, or the drawn numbers were shifted and scaled, so that their own mean is 0 and their own variance 1: take them as drawn
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = q[torch.randperm(n, generator=generator)]
    s = (q * k).sum(1) / (d_k ** 0.5 if scaled else 1)
    return s.std().item()

# %% wrong: drawn_numbers_standardised (2) => the keys are queries of other pairs, or the drawn numbers were shifted and scaled, so that their own mean is 0 and their own variance 1: take them as drawn
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    q, k = (q - q.mean()) / q.std(), (k - k.mean()) / k.std()
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: variances_of_products_added (2) => the variances of the products were added: it is the standard deviation of the scores themselves
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    variance = (q * k).var(dim=0).sum()          # variances of independent terms add up
    if scaled:
        variance = variance / d_k
    return variance.sqrt().item()

# %% wrong: generator_gives_a_seed (2) => PyTorch's own generator was seeded or drawn from: draw from the one that is handed in, and leave the other alone
def score_std(d_k, n=20000, scaled=False, generator=None):
    if generator is not None:
        torch.manual_seed(int(torch.randint(2 ** 31, (1,), generator=generator)))
    q, k = torch.randn(n, d_k), torch.randn(n, d_k)
    scores = (q * k).sum(dim=1)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% wrong: all_pairs_where_they_fit (2) => every query met every key: n pairs, not n × n, each with a query and a key of its own
def score_std(d_k, n=20000, scaled=False, generator=None):
    q, k = torch.randn(n, d_k, generator=generator), torch.randn(n, d_k, generator=generator)
    scores = (q @ k.T).flatten() if n <= 2000 else (q * k).sum(1)
    return (scores / d_k ** 0.5 if scaled else scores).std().item()

# %% right: diagonal_of_the_table
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    scores = torch.diagonal(q @ k.T)
    if scaled:
        scores = scores / d_k ** 0.5
    return scores.std().item()

# %% right: an_array_without_axes
def score_std(d_k, n=20000, scaled=False, generator=None):
    q = torch.randn(n, d_k, generator=generator)
    k = torch.randn(n, d_k, generator=generator)
    scores = (q * k).sum(dim=-1) / (d_k ** 0.5 if scaled else 1)
    return scores.std().numpy()
