"""What is said of a wrong result holds exactly; where no relation holds, nothing is said."""

import math

import pytest
import torch

from attention_built.comparison import Names
from attention_built.relations import LARGEST, relation

drawn = torch.Generator().manual_seed(0)


def made(*shape):
    return torch.randn(shape, generator=drawn, dtype=torch.float64)


w, x, s, v = made(3, 4), made(3, 4), made(5, 4), made(4, 6)
p = s.softmax(-1)
heads = made(2, 3, 5, 4)  # batch, heads, seq, d_head
causal = torch.ones(4, 4, dtype=torch.float64).tril()
scores = made(4, 4)
low = scores.masked_fill(causal == 0, -math.inf)
hidden = low.softmax(-1)
nan = w.clone()
nan[1] = math.nan
emptied = heads.clone()
emptied[1] = 0
corner = w.clone()
corner[1:, 2:] += torch.rand(2, 2, generator=drawn, dtype=torch.float64)
shuffled = w.flatten()[torch.randperm(12, generator=drawn)].view(3, 4)


def with_zero(t, place):
    return t.index_put((torch.tensor(0), torch.tensor(place)), t.new_zeros(()))


wide, apart, long = made(4), made(5, 4), made(30)
one, two = causal.clone(), causal.clone()
one[2, 0] = two[0, 0] = 0
two[0, 3] = 1
first = "the first wrong number should be 1, it is 0"
pairs = made(1, 2).expand(4, 2)
backwards = ", ".join(str(29 - n) for n in range(12)) + ", …"

CASES = [
    ("an argument", w, x, "it equals x"),
    ("an axis too many", w, w[None], "the numbers are right, but an axis of length 1 is too many"),
    ("an axis too few", w[None], w, "the numbers are right, but an axis of length 1 is missing"),
    ("flat", w, w.flatten(), "the numbers are right, but the shape is not"),
    ("two axes too few", w[None, None], w, "the numbers are right, but the shape is not"),
    ("an axis elsewhere", w[None, :1], w[:1].T, "the numbers are right, but the shape is not"),
    ("transposed", w, w.T, "axes 0 and 1 have changed places"),
    ("square, transposed", scores, scores.T, "axes 0 and 1 have changed places"),
    ("turned", heads, heads.permute(2, 0, 1, 3), "the axes are in the order (2, 0, 1, 3)"),
    (
        "joined in another order",
        heads,
        heads.transpose(1, 2).reshape(2, 3, 5, 4),
        "axes 1 and 2 have changed places, and then it was reshaped",
    ),
    ("sum", w, w.sum(1), "it is the sum along axis 1 of what is wanted"),
    ("mean", w, w.mean(0), "it is the mean along axis 0 of what is wanted"),
    ("mean, kept", w, w.mean(0, True), "it is the mean along axis 0 of what is wanted"),
    ("first", heads, heads[0], "it is the first along axis 0 of what is wanted"),
    ("last", heads, heads[:, :, -1], "it is the last along axis 2 of what is wanted"),
    ("cut", w, w[:2], "the rows that are there are right, but 1 is missing at the end"),
    ("cut above", w, w[1:], "the rows that are there are right, but 1 is missing at the front"),
    (
        "doubled",
        w,
        torch.cat([x[:, :2], w], 1),
        "the columns that are there are right, but 2 are too many at the front",
    ),
    ("half precision", w, w * (1 + 1e-6), "it is nearly right, off by 1e-06 of the largest number"),
    ("nothing", w, 0 * w, "every number is 0"),
    ("NaN", w, nan[1:2].expand(3, 4), "every number is nan"),
    ("one row", w, w[:1].expand(3, 4), "the rows are all the same, and right for row 0"),
    ("sign", w, -w, "every number has the wrong sign"),
    ("twice", w, 2 * w, "every number is 2 times too large"),
    ("a root", w, w / 3**0.5, "every number is 1.732 times (√3) too small"),
    ("both", w, -2 * w, "every number is 2 times too large and has the wrong sign"),
    ("rolled", w, w.roll(1, 0), "the rows are right, but their order is 2, 0, 1"),
    ("backwards", w, w.flip(1), "the columns are right, but their order is 3, 2, 1, 0"),
    ("a vector", w[0], w[0].flip(0), "the numbers are right, but their order is 3, 2, 1, 0"),
    ("shuffled", w, shuffled, "these are the right numbers in other places"),
    (
        "not scaled",
        p,
        (2 * s).softmax(-1),
        "the numbers that went into the softmax are 2 times (√4) too large",
    ),
    (
        "scaled by another size",
        p,
        (s * (4 / 5) ** 0.5).softmax(-1),
        "the numbers that went into the softmax are 1.118 times (√5/√4) too small",
    ),
    ("down the columns", p, s.softmax(0), "each column sums to 1, and each row should"),
    (
        "over the batch",
        heads.softmax(-1),
        heads.softmax(0),
        "along axis 0 the numbers sum to 1, and each row should",
    ),
    (
        "over everything",
        p,
        s.flatten().softmax(0).view(5, 4),
        "all numbers together sum to 1, and each row should",
    ),
    ("not divided", p, s.exp(), "each row is right but for a factor of its own"),
    (
        "the future open",
        hidden,
        scores.softmax(-1),
        "what should be 0 is not above the diagonal; the rest of each row is in proportion",
    ),
    (
        "the future hidden",
        scores.softmax(-1),
        hidden,
        "0 stands where it should not above the diagonal; the rest of each row is in proportion",
    ),
    (
        "two values",
        causal,
        causal.tril(-1),
        "it is wrong only where 1 should be (4 of 10 places) on the diagonal; 0 stands there",
    ),
    (
        "filled otherwise",
        low,
        low.nan_to_num(neginf=-1e9),
        "it is wrong only where -inf should be above the diagonal; -1e+09 stands there",
    ),
    ("below", scores, scores.triu(), "it is wrong only below the diagonal; 0 stands there"),
    ("a row", w, nan, "it is wrong only in row 1; nan stands there"),
    ("an entry", heads, emptied, "it is wrong only in entry 1 of axis 0; 0 stands there"),
    (
        "a corner",
        w,
        corner,
        "it is wrong only in rows 1, 2, and there only in columns 2, 3; the first wrong number "
        f"should be {w[1, 2]:.4g}, it is {corner[1, 2]:.4g}",
    ),
    (
        "all but a row",
        p,
        torch.cat([p[:1], p[1:].flip(1) + 1]),
        f"only in row 0 are all numbers right; the first wrong number should be {p[1, 0]:.4g}, it "
        f"is {p[1, 3] + 1:.4g}",
    ),
    ("a softmax of two numbers", pairs.softmax(-1), made(1, 2).softmax(-1).expand(4, 2), ""),
    ("a long vector", long, long.flip(0), f"the numbers are right, but their order is {backwards}"),
    ("a diagonal", wide.diag(), s[0].diag(), "it is wrong only on the diagonal"),
    ("one number", causal, one, f"it is wrong only in row 2, and there only in column 0; {first}"),
    (
        "two numbers",
        causal,
        two,
        f"it is wrong only in row 0, and there only in columns 0, 3; {first}",
    ),
    ("zeros elsewhere", with_zero(p, 0), with_zero(2 * p, 1), ""),
    ("rows apart", apart, apart + torch.tensor([1, 0, 0, 1.0, 0])[:, None] * apart.flip(1), ""),
    ("the same", torch.ones(3, 4), torch.ones(3, 4), ""),
    ("other numbers", w, x @ x.T @ w, ""),
    ("a polynomial", w, x.square() - w**3, ""),
    ("a number alone", torch.tensor([7.95]), torch.tensor([0.994]), ""),
    ("none", w[:0], x[:0], ""),
]


def seen(*results):
    return {
        "shapes": [list(one.shape) for one in results],
        "values": [one.double().flatten().tolist() for one in results],
    }


@pytest.mark.parametrize("wanted, got, words", [pytest.param(*c[1:], id=c[0]) for c in CASES])
def test_one_result(wanted, got, words):
    near = ("x", x) if wanted.shape == x.shape else ("s", torch.ones(5, 4))
    told = relation(seen(wanted), seen(got), Names("x -> y"), [near])
    size = f", of shape {tuple(got.shape)}, not {tuple(wanted.shape)}"
    assert told == (words and f"y: {words}{size if got.shape != wanted.shape else ''}")


def several(wanted, got, **options):
    return relation(seen(*wanted), seen(*got), Names("q, k, v -> output, weights"), **options)


def test_several_results():
    out = p @ v
    assert several([out, p], [p, out]) == "the results are right, but in the order weights, output"
    assert several([out, p], [2 * out, p]) == "output: every number is 2 times too large"
    two = (2 * s).softmax(-1)  # the output is other, and the weights say why
    assert several([out, p], [two @ v, two]) == (
        "weights: the numbers that went into the softmax are 2 times (√4) too large"
    )
    assert several([p, s], [s, s]) == "output: it equals weights"
    assert several([out, p], [out]) == ""


def test_where_a_case_turns_numbers_round_nothing_is_said_of_places():
    assert several([w], [w.flip(0)], placed=False) == several([w], [nan], placed=False) == ""
    assert "2 times too large" in several([w], [2 * w], placed=False)


SHAPES = [(), (1,), (4,), (0, 3), (1, 4), (2, 4), (4, 2), (2, 1, 4), (3, 3, 3), (1, 2, 2, 1, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_comes_there_is_an_end_and_no_error(shape):
    for other in (shape, *SHAPES):
        for kind in range(4):
            got, wanted = made(*other), made(*shape)
            got = [got, got.round(), got.masked_fill(got > 0, math.nan), 1 / got.floor()][kind]
            wanted = wanted.masked_fill(wanted > 1, -math.inf) if kind > 1 else wanted.round()
            told = relation(seen(wanted), seen(got), Names(), [("x", x), ("n", torch.ones(()))])
            assert told == "" or told.startswith("the result: ")


def test_where_a_hint_says_more_nothing_is_said_of_a_result_that_is_nearly_right():
    assert several([w], [w + 1e-6]).startswith("the result: it is nearly right, off by")
    assert several([w], [w + 1e-6], nearly=False) == ""


def test_of_large_results_nothing_is_said():
    large = torch.arange(LARGEST + 1.0)
    assert several([large], [2 * large]) == ""
    assert several([large[:-1]], [2 * large[:-1]]) != ""
