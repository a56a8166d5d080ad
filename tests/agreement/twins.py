"""The obvious slow way of everything, and random scores to try it on."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import numpy as np

from assay.agreement import Batch

__all__ = [
    "TWINS",
    "acc23",
    "batch_of",
    "best_epsilon",
    "exact_correlation",
    "members",
    "random_batch",
    "tally",
    "twin_values",
]


def batch_of(metric, human, pairs=None):
    """NaN: not mask. A vector is one group."""
    metric, human = (np.atleast_2d(np.array(each, dtype=float)) for each in (metric, human))
    return Batch(metric, human, ~(np.isnan(metric) | np.isnan(human)), pairs)


def random_batch(random, *, groups=60, items=None, kind=None):
    """Scores with many ties, few or none, with gaps or without."""
    items = int(random.integers(1, 13)) if items is None else items
    kind = random.choice(["ties", "tenths", "real", "mixed"]) if kind is None else kind
    shape = (groups, items)
    whole = random.integers(0, 5, (2, *shape)).astype(float)
    real = random.normal(size=(2, *shape))
    metric, human = {"ties": whole, "tenths": whole / 10, "real": real, "mixed": np.array([real[0], whole[1]])}[kind]
    mask = random.random(shape) >= random.choice([0.0, 0.3])
    return Batch(metric, human, mask)


def members(batch):
    """For each group: the metric's scores, people's, and the numbers of the items, without gaps."""
    for metric, human, mask in zip(batch.metric, batch.human, batch.mask, strict=True):
        yield metric[mask].tolist(), human[mask].tolist(), np.flatnonzero(mask).tolist()


def tally(metric, human, items, *, epsilon=0.0, pairs=None):
    """Counts of (concordant, discordant, tied in the metric alone, by people alone, in both), pair by pair."""
    counts = [0] * 5
    for i, j in combinations(range(len(metric)), 2):
        if pairs is not None and not pairs[items[i], items[j]]:
            continue
        x, y = metric[i] - metric[j], human[i] - human[j]
        if abs(x) <= epsilon:
            counts[4 if y == 0 else 2] += 1
        elif y == 0:
            counts[3] += 1
        else:
            counts[0 if (x > 0) == (y > 0) else 1] += 1
    return tuple(counts)


def quotient(numerator, denominator):
    return numerator / denominator if denominator else math.nan


def acc23(metric, human, items, *, epsilon=0.0, pairs=None):
    counts = tally(metric, human, items, epsilon=epsilon, pairs=pairs)
    return quotient(counts[0] + counts[4], sum(counts))


def kendall(variant):
    def value(metric, human, items, *, pairs=None):
        c, d, tx, ty, both = tally(metric, human, items, pairs=pairs)
        total = c + d + tx + ty + both
        if variant == "a":
            return quotient(c - d, total)
        if variant == "b":
            return quotient(c - d, math.sqrt((total - tx - both) * (total - ty - both)))
        k, n = min(len(set(metric)), len(set(human))), len(metric)
        share = quotient(total, n * (n - 1) / 2)
        return quotient(2 * (c - d), n * n * (k - 1) / k * share) if k > 1 and total else math.nan

    return value


def kendall_wmt(rule):
    def value(metric, human, items, *, pairs=None):
        c, d, tx, _, _ = tally(metric, human, items, pairs=pairs)
        return quotient(*{"12": (c - d - tx, c + d + tx), "13": (c - d, c + d), "14": (c - d, c + d + tx)}[rule])

    return value


def kendall_like(threshold):
    def value(metric, human, items, *, pairs=None):
        for_it, against = 0, 0
        for i, j in combinations(range(len(metric)), 2):
            gap = human[i] - human[j]
            if gap == 0 or abs(gap) < threshold - 1e-6 or (pairs is not None and not pairs[items[i], items[j]]):
                continue
            if (metric[i] - metric[j]) * math.copysign(1, gap) > 0:
                for_it += 1
            else:
                against += 1
        return quotient(for_it - against, for_it + against)

    return value


def pairwise_wrong(metric, human, items, *, pairs=None):
    c, d, tx, _, _ = tally(metric, human, items, pairs=pairs)
    return quotient(c, c + d + tx)


def average_ranks(values):
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def spearman(metric, human, _items):
    return exact_correlation(average_ranks(metric), average_ranks(human))


def exact_correlation(x, y, *_):
    """Pearson's r of the very numbers mask: whole multiples of 2^-1074, one square root of 60 digits at the end."""
    n = len(x)
    x, y = ([int(Fraction(v) * 2**1074) for v in side] for side in (x, y))
    xx, yy, xy = (
        n * sum(a * b for a, b in zip(*sides, strict=True)) - sum(sides[0]) * sum(sides[1])
        for sides in ((x, x), (y, y), (x, y))
    )
    if not xx * yy:
        return math.nan
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, 10**6, -(10**6)
        return float(Decimal(xy) / (Decimal(xx).sqrt() * Decimal(yy).sqrt()))


def best_epsilon(batch):
    """Try every difference there is; means over groups in fractions."""
    groups = list(members(batch))
    candidates = {0.0} | {abs(a - b) for metric, _, _ in groups for a, b in combinations(metric, 2)}
    best = None
    for epsilon in sorted(candidates):
        counts = [tally(*group, epsilon=epsilon, pairs=batch.pairs) for group in groups]
        mean = sum(Fraction(c[0] + c[4], sum(c)) for c in counts if sum(c))
        if best is None or mean > best[0]:
            best = (mean, epsilon)
    return best[1]


def twin_values(twin, batch):
    """The twin of each group."""
    chosen = {} if batch.pairs is None else {"pairs": batch.pairs}
    return np.array([twin(*group, **chosen) for group in members(batch)])


def skipped(correlation):
    """With marginal medians, item by item."""

    def twin(metric, human, _items):
        points = list(zip(metric, human, strict=True))
        if len(points) < 5:
            return math.nan
        centers = [statistics.median(side) for side in (metric, human)]
        mads = [statistics.median(abs(v - c) for v in side) for side, c in zip((metric, human), centers, strict=True)]
        if 0 in mads:
            return math.nan
        around = [tuple((v - c) / (1.4826 * m) for v, c, m in zip(p, centers, mads, strict=True)) for p in points]
        outliers = set()
        for x, y in around:
            if x == y == 0:
                continue
            distances = [abs(x * a + y * b) / math.hypot(x, y) for a, b in around]
            limit = statistics.median(distances) + math.sqrt(-2 * math.log(0.025)) * ideal_range(distances)
            outliers |= {i for i, distance in enumerate(distances) if distance > limit * (1 + 1e-9)}
        left = [point for i, point in enumerate(points) if i not in outliers]
        return correlation([x for x, _ in left], [y for _, y in left], _items)

    return twin


def ideal_range(values):
    """Between the ideal fourths, counted from 1 from either end."""
    place = len(values) / 4 + 5 / 12
    j, share = int(place), place - int(place)
    rising, falling = sorted(values), sorted(values, reverse=True)
    low, high = ((1 - share) * side[j - 1] + share * side[j] for side in (rising, falling))
    return high - low


TWINS = {
    "skipped:center=median": skipped(exact_correlation),
    "skipped:center=median,correlation=spearman": skipped(spearman),
    "pearson": exact_correlation,
    "spearman": spearman,
    "kendall": kendall("b"),
    "kendall:variant=a": kendall("a"),
    "kendall:variant=c": kendall("c"),
    "kendall-wmt": kendall_wmt("14"),
    "kendall-wmt12": kendall_wmt("12"),
    "kendall-wmt13": kendall_wmt("13"),
    "kendall-wmt14": kendall_wmt("14"),
    "kendall-like": kendall_like(25),
    "kendall-like:threshold=2": kendall_like(2),
    "kendall-like:threshold=0.2": kendall_like(0.2),
    "kendall-like:threshold=0": kendall_like(0),
    "acc23": acc23,
    "acc23:epsilon=0.1": lambda *group, **chosen: acc23(*group, epsilon=0.1, **chosen),
    "acc23:epsilon=2": lambda *group, **chosen: acc23(*group, epsilon=2, **chosen),
    "tau23": lambda *group, **chosen: 2 * acc23(*group, **chosen) - 1,
    "tau23:epsilon=1": lambda *group, **chosen: 2 * acc23(*group, epsilon=1, **chosen) - 1,
    "pairwise-accuracy": acc23,
    "pairwise-accuracy:ties=wrong": pairwise_wrong,
}
"""Statistics whose value of a group depends on that group alone."""
