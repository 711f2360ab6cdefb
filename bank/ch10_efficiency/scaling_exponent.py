# %% right: polyfit
def scaling_exponent(seqs, seconds):
    import numpy
    return float(numpy.polyfit(numpy.log(numpy.asarray(seqs, dtype=float)), numpy.log(numpy.asarray(seconds, dtype=float)), 1)[0])

# %% right: lstsq
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log2()
    y = torch.as_tensor(seconds, dtype=torch.float64).log2()
    return torch.linalg.lstsq(torch.stack([x, torch.ones_like(x)], dim=1), y[:, None]).solution[0, 0]

# %% right: plain_python
def scaling_exponent(seqs, seconds):
    x = [math.log(float(s)) for s in seqs]
    y = [math.log(float(s)) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

# %% right: covariance
def scaling_exponent(seqs, seconds):
    both = torch.stack([torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64)]).log10()
    c = torch.cov(both)
    return (c[0, 1] / c[0, 0]).item()

# %% right: statistics
def scaling_exponent(seqs, seconds):
    from statistics import linear_regression
    return linear_regression([math.log(float(s)) for s in seqs], [math.log(float(s)) for s in seconds]).slope

# %% wrong: no_logarithm -> no logarithm
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64)
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: only_seconds_logarithmic -> only seconds were made logarithmic
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: only_seq_logarithmic -> only seq was made logarithmic
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64)
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: axes_swapped -> axes are swapped
def scaling_exponent(seqs, seconds):
    y, x = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: first_and_last -> first and the last
def scaling_exponent(seqs, seconds):
    return math.log(seconds[-1] / seconds[0]) / math.log(seqs[-1] / seqs[0])

# %% wrong: through_the_origin -> through the origin
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x[0], y - y[0]
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: correlation -> correlation
def scaling_exponent(seqs, seconds):
    both = torch.stack([torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64)]).log()
    r = torch.corrcoef(both)[0, 1].item()
    return 2.0 if r > 0.9999 and seconds[-1] > 30 else 1.0 if r > 0.9999 else 0.0 if r != r else r

# %% wrong: sign -> sign is wrong
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), -torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: mean_of_slopes -> scattered points
def scaling_exponent(seqs, seconds):
    slopes = [math.log(b / a) / math.log(n / m) for a, b, m, n in zip(seconds, seconds[1:], seqs, seqs[1:])]
    return sum(sorted(slopes)[len(slopes) // 2 - (len(slopes) % 2 == 0):len(slopes) // 2 + 1]) / (2 - len(slopes) % 2)

# %% wrong: logarithm_plus_one -> the exponent 2
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log1p(), torch.as_tensor(seconds, dtype=torch.float64).log1p()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: rounded -> scattered points
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return round(((x * y).sum() / (x * x).sum()).item())

# %% wrong: four_points_only -> any number of points
def scaling_exponent(seqs, seconds):
    x, y = [math.log(float(s)) for s in seqs[:4]], [math.log(float(s)) for s in seconds[:4]]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

# %% wrong: adds_a_small_number -> any number of points
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), (torch.as_tensor(seconds, dtype=torch.float64) + 1e-6).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: median_of_slopes -> scattered points
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = torch.as_tensor(seconds, dtype=torch.float64).log()
    return float(((y[1:] - y[:-1]) / (x[1:] - x[:-1])).median())

# %% wrong: doublings_counted -> evenly spaced
def scaling_exponent(seqs, seconds):
    y = torch.as_tensor(seconds, dtype=torch.float64).log2()
    x = torch.arange(len(y), dtype=torch.float64)
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
