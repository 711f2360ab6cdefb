"""What a wrong result has to do with the right one, in words: a relation that holds for all of its
numbers, or nothing. None says why it holds: that is for the author of the answer to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import torch
from torch import Tensor

from attention_built.comparison import Names, Seen, told_apart

Given = Sequence[tuple[str, Tensor]]  # what stands beside a result: its name and its numbers
EXACT, NEARLY = 1e-4, 1e-3  # how far off a number may be, as a share of it
LARGEST = 100_000  # numbers of a result: in a larger one no relation is looked for
ORDERED, SHOWN, FEW = 32, 12, 4  # rows that are put in order, that are listed, that are few


def relation(
    wanted: Seen,
    seen: Seen,
    names: Names,
    given: Given = (),
    placed: bool = True,
    nearly: bool = True,
) -> str:
    """The first relation that holds between the results that are wanted and those that came; "" for
    none. given: the arguments. placed: whether numbers lie where the answer put them. nearly:
    whether to say that a result is nearly right, which a case's hint says better.
    """
    ws, gs = _tensors(wanted), _tensors(seen)
    if len(ws) != len(gs) or max((t.numel() for t in (*ws, *gs)), default=0) > LARGEST:
        return ""
    called = [names.result(n, len(ws)) for n in range(len(ws))]
    if told := exchanged(ws, gs, called):
        return told
    bad = [n for n, w in enumerate(ws) if not same(w, gs[n])] or range(len(ws))
    silent = PLACED * (not placed) + (imprecise,) * (not nearly)
    for one in dict.fromkeys((*SHAPES, *VALUES, imprecise)):
        for n in bad if one not in silent else ():
            w, g = ws[n], gs[n]
            near = w.shape == g.shape and close(w, g, NEARLY).all()
            kinds = (imprecise,) if near else VALUES if w.shape == g.shape else SHAPES
            enough = varied(w) or one is places or (one is reshaped and len(w.unique()) > 1)
            if one in kinds and w.dim() and w.numel() and g.numel() and enough:
                others = [(called[m], t) for m, t in enumerate(ws) if m != n]
                if words := one(w, g, [*given, *others]):
                    size = f", of shape {(*g.shape,)}, not {(*w.shape,)}"
                    return f"{called[n]}: {words}{size * (w.shape != g.shape)}"
    return ""


def _tensors(seen: Seen) -> list[Tensor]:
    pairs = zip(seen["values"], seen["shapes"], strict=True)
    return [torch.tensor(numbers, dtype=torch.float64).view(shape) for numbers, shape in pairs]


def close(a: Tensor, b: Tensor, within: float = EXACT) -> Tensor:
    """Where numbers are the same, but for what a computation in float32 loses."""
    size = a[a.isfinite()].abs().max() if a.isfinite().any() else 0.0
    near = ((a - b).abs() <= within * (a.abs() + size / 10)) & a.isfinite()
    return (a == b) | (a.isnan() & b.isnan()) | near


def same(a: Tensor, b: Tensor) -> bool:
    """Whether these are the same numbers in the same shape."""
    return a.shape == b.shape and bool(close(a, b).all())


def varied(t: Tensor) -> bool:
    """Whether it has enough different numbers for a relation not to be chance."""
    found = len(t[t.isfinite()].unique())
    return found >= 3 or (found == 2 and t.numel() >= 8)


def lines(t: Tensor, axis: int, at: Sequence[int] = ()) -> str:
    """What lies along an axis: "rows", "row 1", "columns 2, 3", "entry 0 of axis 1"."""
    names, place = ["columns", "rows"] if t.dim() > 1 else ["numbers"], t.dim() - 1 - axis
    name, of = (names[place], "") if place < len(names) else ("entries", f" of axis {axis}")
    name = {"entries": "entry"}.get(name, name[:-1]) if len(at) == 1 else name
    return " ".join([name, ", ".join(map(str, at))]).strip() + of


def factor(w: Tensor, g: Tensor) -> float:
    """By which the largest number was multiplied."""
    place = w.nan_to_num(0, 0, 0).abs().argmax()
    return float(g.flatten()[place] / w.flatten()[place])


def times(c: float, w: Tensor, given: Given, root: bool) -> str:
    """A factor in words. root: also as the root of a size that it is, where it is whole, too."""
    f, shapes = max(abs(c), 1 / abs(c)), [w.shape, *(t.shape for _, t in given)]
    sizes = sorted({n for shape in shapes for n in shape if n} | {1})
    fits = [(n, m) for m in sizes for n in sizes if abs(f * f * m / n - 1) < EXACT]
    n, m = fits[0] if fits and (root or abs(f - round(f)) > EXACT) else (0, 0)
    known = f" (√{n})" if m == 1 else f" (√{n}/√{m})" if m else ""
    return f"{f:.4g} times{known} too {'large' if abs(c) > 1 else 'small'}"


def exchanged(ws: Sequence[Tensor], gs: Sequence[Tensor], called: Sequence[str]) -> str:
    """Of several results: the right ones in another order."""
    for order in permutations(range(len(ws))) if 1 < len(ws) < 5 and all(map(varied, ws)) else ():
        right = all(same(ws[m], g) for m, g in zip(order, gs, strict=True))
        if right and [*order] != sorted(order):
            return f"the results are right, but in the order {', '.join(called[m] for m in order)}"
    return ""


def another(w: Tensor, g: Tensor, given: Given) -> str:
    """An argument, or another result."""
    return next((f"it equals {name}" for name, t in given if varied(g) and same(t.double(), g)), "")


def reshaped(w: Tensor, g: Tensor, given: Given) -> str:
    """The right numbers one after the other, in another shape."""
    if not same(w.flatten(), g.flatten()):
        return ""
    few, many = sorted((w, g), key=Tensor.dim)
    one = f"an axis of length 1 is {'missing' if g is few else 'too many'}"
    fits = any(few.unsqueeze(a).shape == many.shape for a in range(few.dim() + 1))
    return f"the numbers are right, but {one if fits else 'the shape is not'}"


def axes(w: Tensor, g: Tensor, given: Given) -> str:
    """The axes in another order, perhaps reshaped afterwards."""
    for order in permutations(range(w.dim())) if w.numel() == g.numel() and w.dim() < 6 else ():
        off, t = [n for n, m in enumerate(order) if n != m], w.permute(order)
        fits = t.shape == g.shape or w.shape == g.shape or w.dim() != g.dim()
        if off and fits and same(t.flatten(), g.flatten()):
            two = f"axes {off[0]} and {off[-1]} have changed places"
            then = "" if t.shape == g.shape else ", and then it was reshaped"
            return f"{two if len(off) == 2 else f'the axes are in the order {order}'}{then}"
    return ""


def one_axis(w: Tensor, g: Tensor, given: Given) -> str:
    """An axis that was added up, or is cut or too long at one end."""
    for a, n in enumerate(w.shape) if g.numel() > 1 else ():
        ends = {"first": w.select(a, 0), "last": w.select(a, -1)}
        for name, t in ({"sum": w.sum(a), "mean": w.mean(a)} | ends).items() if n > 1 else ():
            if same(t, g) or same(t.unsqueeze(a), g):
                return f"it is the {name} along axis {a} of what is wanted"
        for front in (0, 1) if g.dim() == w.dim() else ():
            m, off = min(n, g.shape[a]), abs(n - g.shape[a])
            p, q = (t.narrow(a, front * (t.shape[a] - m), m) for t in (w, g))
            if off and varied(p) and same(p, q):
                few = f"{off} {'is' if off == 1 else 'are'} {'missing' if m < n else 'too many'}"
                end = "front" if front else "end"
                return f"the {lines(w, a)} that are there are right, but {few} at the {end}"
    return ""


def imprecise(w: Tensor, g: Tensor, given: Given) -> str:
    """Right, but for the last digits."""
    off = (g - w).abs()[w.isfinite()].max() / w[w.isfinite()].abs().max()
    return f"it is nearly right, off by {off:.0e} of the largest number"


def steady(w: Tensor, g: Tensor, given: Given) -> str:
    """One number everywhere, or one row."""
    if g.numel() > 1 and same(g.flatten()[:1].expand(g.numel()), g.flatten()):
        return f"every number is {g.flatten()[0].item() + 0.0:.4g}"
    for a, n in enumerate(w.shape):
        if n > 1 and varied(g) and same(*torch.broadcast_tensors(g.narrow(a, 0, 1), g)):
            right = [i for i in range(n) if same(w.select(a, i), g.select(a, 0))]
            if right:
                return f"the {lines(w, a)} are all the same, and right for {lines(w, a, right)}"
    return ""


def scaled(w: Tensor, g: Tensor, given: Given) -> str:
    """Every number multiplied by one factor."""
    c = factor(w, g)
    if abs(c) < EXACT or not same(w * c, g):
        return ""
    size = [f"is {times(c, w, given, False)}"] if abs(abs(c) - 1) > EXACT else []
    return f"every number {' and '.join(size + ['has the wrong sign'] * (c < 0))}"


def moved(w: Tensor, g: Tensor, given: Given) -> str:
    """The right numbers in another order along an axis, or elsewhere."""
    for a, n in enumerate(w.shape):
        p, q = (t.movedim(a, 0).reshape(n, -1) for t in (w, g))
        found = [[j for j in range(n) if same(p[j], one)] for one in (q if n <= ORDERED else ())]
        order = [one[0] for one in found if len(one) == 1]
        if n > 1 and q.numel() > 3 and sorted(order) == list(range(n)):
            told = ", ".join(map(str, order[:SHOWN])) + ", …" * (n > SHOWN)
            return f"the {lines(w, a)} are right, but their order is {told}"
    anywhere = len(w.unique()) > 5 and same(*(t.flatten().sort().values for t in (w, g)))
    return "these are the right numbers in other places" if anywhere else ""


def shares(t: Tensor, axis: int = -1) -> bool:
    """Whether this may come of a softmax along an axis, of rows with nothing in them, too."""
    s = t.sum(axis)
    fits = close(torch.ones_like(s), s) | (s == 0)
    return bool(fits.all() & (s > 0).any())


def hotter(w: Tensor, g: Tensor, given: Given) -> str:
    """The softmax of numbers that are all too large or too small by one factor."""
    if not (shares(w) and shares(g)):
        return ""
    a, b = (torch.where(t > 0, t.log(), torch.nan) for t in (w, g))
    a, b = ((t - t.nanmean(-1, keepdim=True)).nan_to_num(0) for t in (a, b))
    enough = len(a.abs()[a != 0].round(decimals=4).unique()) > 1  # to one number any other fits
    c = factor(a, b) if enough else 0.0
    fits = c > EXACT and bool(((c * a - b).abs() < 3 * EXACT * b.abs().max()).all())
    return f"the numbers that went into the softmax are {times(c, w, given, True)}" if fits else ""


def columns(w: Tensor, g: Tensor, given: Given) -> str:
    """A softmax along another axis."""
    for a in range(g.dim() - 1) if shares(w) and not shares(g) else ():
        if g.shape[a] > 1 and shares(g, a):
            along = "each column sums" if a == g.dim() - 2 else f"along axis {a} the numbers sum"
            return f"{along} to 1, and each row should"
    together = shares(w) and not shares(g) and shares(g.flatten())
    return "all numbers together sum to 1, and each row should" if together else ""


def in_proportion(w: Tensor, g: Tensor, given: Given) -> str:
    """Right in each row but for a factor of its own, where neither is 0."""
    both, lost, extra = (w != 0) & (g != 0), (w != 0) & (g == 0), (w == 0) & (g != 0)
    r = torch.where(both, g / w, torch.nan)
    fits = bool((~both | close(r.nanmean(-1, keepdim=True).expand_as(r), r)).all())
    fits = fits and bool(g.isfinite().all()) and varied(w[both]) and not same(w[both], g[both])
    changed = (lost | extra | ~close(w, g)).any(-1)
    proven = (changed & (both.sum(-1) > 1)).sum()  # one number alone is always in proportion
    if not fits or 2 * proven < changed.sum() or (lost.any() and extra.any()):
        return ""
    if not (lost | extra).any():
        return "each row is right but for a factor of its own"
    where = "0 stands where it should not" if lost.any() else "what should be 0 is not"
    return f"{where}{triangle(lost | extra)}; the rest of each row is in proportion"


def triangle(bad: Tensor) -> str:
    """Where the places of a matrix lie that are marked, if its diagonal tells."""
    if bad.dim() < 2 or min(bad.shape[-2:]) < 3:
        return ""
    flat = bad.reshape(-1, *bad.shape[-2:]).any(0)
    off = torch.arange(flat.shape[1]) - torch.arange(flat.shape[0])[:, None]
    where = {"above": off > 0, "below": off < 0, "on": off == 0}
    found = (word for word, mask in where.items() if torch.equal(flat, mask))
    return next((f" {word} the diagonal" for word in found), "")


def places(w: Tensor, g: Tensor, given: Given) -> str:
    """Wrong in some places alone: by what should stand there, or by where they lie."""
    bad = ~close(w, g)
    if bad.all() or w.numel() < 4:
        return ""
    same_one = bad.sum() > 1 and len(g[bad].nan_to_num(torch.pi).unique()) == 1
    stands = f"; {g[bad][0].item() + 0.0:.4g} stands there" if same_one else ""
    two = w.unique().tolist() if len(w.unique()) == 2 else []
    for value in dict.fromkeys([0.0, torch.inf, -torch.inf, *two]):
        mask = w == value
        if (two or torch.equal(mask, bad)) and not (bad & ~mask).any() and bad.sum() > 1:
            part = "" if torch.equal(mask, bad) else f" ({bad.sum()} of {mask.sum()} places)"
            return f"it is wrong only where {value:.4g} should be{part}{triangle(bad)}{stands}"
    if triangle(bad):
        return f"it is wrong only{triangle(bad)}{stands}"
    wrong: list[str] = []
    right: list[str] = []
    for a, n in enumerate(w.shape) if w.dim() > 1 else ():
        hit = bad.movedim(a, 0).flatten(1).any(1)
        few = int(hit.sum()) < n / 2 + 1
        at = (hit if few else ~hit).nonzero().flatten().tolist()
        together = bool(at) and at[-1] - at[0] == len(at) - 1  # other rows show no pattern
        if len(at) <= min(FEW, n - 1) and (together or (at and a == w.dim() - 1)):
            (wrong if few else right).append(lines(w, a, at))
    first = f"; the first wrong number should be {told_apart(w[bad][0].item(), g[bad][0].item())}"
    if wrong:
        return f"it is wrong only in {', and there only in '.join(wrong)}{stands or first}"
    if right:
        return f"only in {' and '.join(right)} are all numbers right{stands or first}"
    return f"{bad.sum()} of {bad.numel()} numbers are wrong{stands}" if stands else ""


SHAPES = (another, reshaped, axes, one_axis)
VALUES = (another, steady, scaled, axes, moved, hotter, columns, in_proportion, places)
PLACED = (another, axes, one_axis, moved, places)  # need the numbers where the answer put them
