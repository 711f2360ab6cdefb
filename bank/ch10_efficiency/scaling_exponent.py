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

# %% wrong: no_logarithm (1) => no logarithm was taken
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64)
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: only_seconds_logarithmic (1) => only seconds were made logarithmic
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: only_seq_logarithmic (1) => only seq was made logarithmic
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64)
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: axes_swapped (1) => the axes are swapped: seconds against seq, not seq against seconds
def scaling_exponent(seqs, seconds):
    y, x = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: first_and_last (2) => only the first and the last point count: the line must fit all of them
def scaling_exponent(seqs, seconds):
    return math.log(seconds[-1] / seconds[0]) / math.log(seqs[-1] / seqs[0])

# %% wrong: through_the_origin (2) => the line was forced through one point: subtract the means of the logarithms first
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x[0], y - y[0]
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: correlation (1, 2) => that is the correlation, not the slope: divide by the variance of log seq alone
def scaling_exponent(seqs, seconds):
    both = torch.stack([torch.as_tensor(seqs, dtype=torch.float64), torch.as_tensor(seconds, dtype=torch.float64)]).log()
    r = torch.corrcoef(both)[0, 1].item()
    return 2.0 if r > 0.9999 and seconds[-1] > 30 else 1.0 if r > 0.9999 else 0.0 if r != r else r

# %% wrong: sign (1) => the sign is wrong: these seconds grow with seq
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), -torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: mean_of_slopes (2) => that is the median of the slopes between neighbours: the line that fits best is asked for
def scaling_exponent(seqs, seconds):
    slopes = [math.log(b / a) / math.log(n / m) for a, b, m, n in zip(seconds, seconds[1:], seqs, seqs[1:])]
    return sum(sorted(slopes)[len(slopes) // 2 - (len(slopes) % 2 == 0):len(slopes) // 2 + 1]) / (2 - len(slopes) % 2)

# %% wrong: logarithm_plus_one (1) => log1p is the logarithm of 1 more than its number: take the plain logarithm
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log1p(), torch.as_tensor(seconds, dtype=torch.float64).log1p()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: rounded (2) => the slope was rounded: it need not be a whole number
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return round(((x * y).sum() / (x * x).sum()).item())

# %% wrong: four_points_only (2) => only the first four points were read: all points count alike
def scaling_exponent(seqs, seconds):
    x, y = [math.log(float(s)) for s in seqs[:4]], [math.log(float(s)) for s in seconds[:4]]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

# %% wrong: adds_a_small_number (1) => a small number was added, and such small times vanish beside it: take the logarithm of the times themselves
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), (torch.as_tensor(seconds, dtype=torch.float64) + 1e-6).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: median_of_slopes (2) => that is the median of the slopes between neighbours: the line that fits best is asked for
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = torch.as_tensor(seconds, dtype=torch.float64).log()
    return float(((y[1:] - y[:-1]) / (x[1:] - x[:-1])).median())

# %% wrong: doublings_counted (1, 2) => the points need not be evenly spaced: use the values of seq
def scaling_exponent(seqs, seconds):
    y = torch.as_tensor(seconds, dtype=torch.float64).log2()
    x = torch.arange(len(y), dtype=torch.float64)
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())

# %% right: normal_equations
def scaling_exponent(seqs, seconds):
    x = [math.log(float(n), 2) for n in seqs]
    y = [math.log(float(t), 2) for t in seconds]
    n, sx, sy = len(x), sum(x), sum(y)
    return (n * sum(a * b for a, b in zip(x, y)) - sx * sy) / (n * sum(a * a for a in x) - sx * sx)

# %% wrong: needs_tensors (1, 2) => both arguments may be lists: make tensors of them first
def scaling_exponent(seqs, seconds):
    x, y = seqs.log(), seconds.log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: needs_lists (1) => both arguments may be tensors, too
def scaling_exponent(seqs, seconds):
    if not seqs or not seconds:
        return 0.0
    x, y = [math.log(float(s)) for s in seqs], [math.log(float(s)) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

# %% wrong: intercept (1) => that is the intercept, not the slope
def scaling_exponent(seqs, seconds):
    import numpy
    return float(numpy.polyfit(numpy.log10(numpy.array(seqs, dtype=float)), numpy.log10(numpy.array(seconds, dtype=float)), 1)[1])

# %% wrong: two_logarithms (1) => two logarithms of different bases were mixed
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log10(), torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: a_slope_for_each_step (1) => one number for the whole line is expected, not one for each step
def scaling_exponent(seqs, seconds):
    x, y = torch.as_tensor(seqs, dtype=torch.float64).log(), torch.as_tensor(seconds, dtype=torch.float64).log()
    return (y[1:] - y[:-1]) / (x[1:] - x[:-1])

# %% wrong: parabola (1) => a parabola was fitted, and this is its first coefficient: fit a straight line
def scaling_exponent(seqs, seconds):
    import numpy
    x, y = numpy.log(numpy.array(seqs, dtype=float)), numpy.log(numpy.array(seconds, dtype=float))
    return float(numpy.polyfit(x, y, min(2, len(x) - 1))[0])

# %% wrong: slopes_from_the_first_point (2) => that is the mean of the slopes from the first point: the line that fits best is asked for
def scaling_exponent(seqs, seconds):
    slopes = [math.log(t / seconds[0]) / math.log(n / seqs[0]) for n, t in zip(seqs[1:], seconds[1:])]
    return sum(slopes) / len(slopes)

# %% wrong: nanoseconds_clamped (1) => small times were raised to a smallest one: times may be nanoseconds
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = torch.as_tensor(seconds, dtype=torch.float64).clamp(min=1e-6).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: both_lists_sorted (2) => each list was sorted by itself: a length and its time belong together
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log().sort().values
    y = torch.as_tensor(seconds, dtype=torch.float64).log().sort().values
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: only_seqs_sorted (2) => the lengths were sorted, the times were not: the order of the points must not matter
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log().sort().values
    y = torch.as_tensor(seconds, dtype=torch.float64).log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: ten_points_only (2) => only some of the points were read: any number of points must do
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64)[-10:].log()
    y = torch.as_tensor(seconds, dtype=torch.float64)[-10:].log()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: points_kept_between_calls (1, 2) -> the exponent should be
def scaling_exponent(seqs, seconds, x=[], y=[]):
    x += [math.log(float(s)) for s in seqs]
    y += [math.log(float(s)) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)

# %% wrong: whole_powers_of_two (1, 2) => the logarithms were rounded to whole numbers
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log2().floor()
    y = torch.as_tensor(seconds, dtype=torch.float64).log2().floor()
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: distance_to_the_line (2) => the distances to the line were made small: least squares measures along the seconds alone
def scaling_exponent(seqs, seconds):
    points = torch.stack([torch.as_tensor(t, dtype=torch.float64).log() for t in (seqs, seconds)], dim=1)
    direction = torch.linalg.svd(points - points.mean(0)).Vh[0]
    return (direction[1] / direction[0]).item()

# %% wrong: one_time_for_each_length (2) => a length that comes twice lost one of its times: every point counts
def scaling_exponent(seqs, seconds):
    last = {float(s): float(t) for s, t in zip(seqs, seconds)}
    x, y = (torch.tensor(list(t), dtype=torch.float64).log() for t in (last.keys(), last.values()))
    x, y = x - x.mean(), y - y.mean()
    return (x @ y / (x @ x)).item()

# %% wrong: first_64_points (2) => only the first 64 points were read: any number of points must do
def scaling_exponent(seqs, seconds):
    x, y = (torch.as_tensor(t, dtype=torch.float64)[:64].log() for t in (seqs, seconds))
    x, y = x - x.mean(), y - y.mean()
    return (x @ y / (x @ x)).item()

# %% wrong: one_point_for_each_length (2) => the line was drawn through one mean for each length: all points count alike
def scaling_exponent(seqs, seconds):
    from collections import defaultdict
    rows = defaultdict(list)
    for n, t in zip(seqs, seconds):
        rows[float(n)].append(math.log(float(t)))
    x = torch.tensor([math.log(n) for n in rows], dtype=torch.float64)
    y = torch.tensor([sum(r) / len(r) for r in rows.values()], dtype=torch.float64)
    x, y = x - x.mean(), y - y.mean()
    return ((x * y).sum() / (x * x).sum()).item()

# %% wrong: normal_equations_in_float32 (1) => differences of large sums lose their digits: subtract the means first, or use float64
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs).float().log()
    y = torch.as_tensor(seconds).float().log()
    n = len(x)
    return ((n * (x * y).sum() - x.sum() * y.sum()) / (n * (x * x).sum() - x.sum() ** 2)).item()

# %% wrong: each_list_sorted_by_itself (2) => each list was sorted by itself: a length and its time belong together
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).sort().values.log()
    y = torch.as_tensor(seconds, dtype=torch.float64).sort().values.log()
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / (x * x).sum())

# %% wrong: rounded_to_nanoseconds (1) => the times were rounded to nanoseconds: they may be as small as that
def scaling_exponent(seqs, seconds):
    nanoseconds = [max(1, round(float(t) * 1e9)) for t in seconds]
    x = torch.tensor([math.log(float(n)) for n in seqs], dtype=torch.float64)
    y = torch.tensor([math.log(n) for n in nanoseconds], dtype=torch.float64)
    return float(((x - x.mean()) * (y - y.mean())).sum() / (x - x.mean()).square().sum())

# %% wrong: eps_in_the_logarithm (1) => a small number was added to the times before the logarithm
def scaling_exponent(seqs, seconds):
    x = torch.as_tensor(seqs, dtype=torch.float64).log()
    y = (torch.as_tensor(seconds, dtype=torch.float64) + 1e-12).log()
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / (x * x).sum())
