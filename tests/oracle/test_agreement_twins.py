"""`assay.agree` against the obvious way: cut tables with gaps into groups, look at every pair, average.

Every statistic of pairs, each grouping and average; over 2,000 vectors a statistic, with ties and gaps on either side.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import ScoreTable, agree
from tests.agreement import twins
from tests.agreement.twins import TWINS, batch_of, members, tally

GROUPINGS = ("none", "item", "system")
OF_PAIRS = [
    *("kendall:variant=a", "kendall", "kendall:variant=c", "kendall-wmt12", "kendall-wmt13", "kendall-wmt14"),
    *("kendall-like", "kendall-like:threshold=2", "kendall-like:threshold=0"),
    *("acc23", "acc23:epsilon=0.1", "acc23:epsilon=2", "tau23", "tau23:epsilon=1"),
]
TABLES, SMALL_TABLES = 120, 400


def random_tables(random, most_systems=7, most_segments=12):
    """Scores of a metric and of people (system, segment): ties or none, on scales from tenths to a hundred."""
    shape = int(random.integers(1, most_systems + 1)), int(random.integers(1, most_segments + 1))
    metric, human = (np.floor(random.random(shape) * random.choice([3, 6, 1000])) for _ in range(2))
    metric *= random.choice([0.1, 1.0, 0.37])
    human *= random.choice([1.0, 12.5, 0.5])
    for side in (metric, human):
        side[random.random(shape) < random.choice([0.0, 0.15, 0.5])] = np.nan
    return metric, human


def table_pair(metric, human, level="segment"):
    names = tuple(f"system{k:02}" for k in range(len(metric)))
    return ScoreTable("m", level, names, metric), ScoreTable("h", level, names, human, protocol="DA-z")


def batch_by(metric, human, grouping):
    """What `grouping` makes groups of, as rows."""
    rows = {"none": (metric.reshape(1, -1), human.reshape(1, -1)), "item": (metric.T, human.T)}
    return batch_of(*rows.get(grouping, (metric, human)))


def groups_of(batch):
    """(metric, human, places) of each group that has a cell which both sides have."""
    return [group for group in members(batch) if group[0]]


def weight_of(spec, group):
    """Items, or for statistics that leave pairs out those that are left."""
    c, d, tx, _, _ = tally(*group)
    if spec.startswith("kendall-wmt"):
        return c + d if spec.endswith("13") else c + d + tx
    if spec.startswith("kendall-like"):
        apart = float(spec.partition("=")[2] or 25) - 1e-6
        scores = group[1]
        gaps = [abs(a - b) for k, a in enumerate(scores) for b in scores[:k]]
        return sum(gap > 0 and gap >= apart for gap in gaps)
    return len(group[0])


def averages(values, weights):
    """Macro and micro, over groups with a value."""
    both = [(v, w) for v, w in zip(values, weights, strict=True) if not math.isnan(v)]
    if not both:
        return math.nan, math.nan
    total = sum(w for _, w in both)
    return sum(v for v, _ in both) / len(both), sum(v * w for v, w in both) / total


def checked(spec, tables, grouping, values, weights):
    """Both averages, and how many groups there are and have no value."""
    for average, expected in zip(("macro", "micro"), averages(values, weights), strict=True):
        found = agree(*tables, spec, grouping=grouping, average=average, resamples=0)
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert (found.groups, found.groups_undefined) == (len(values), sum(map(math.isnan, values)))
        assert math.isnan(found.value) == (found.reason is not None)
    return found


@pytest.mark.parametrize("spec", OF_PAIRS)
def test_groupings_and_averages(spec):
    random = np.random.default_rng(OF_PAIRS.index(spec))
    vectors = 0
    for _ in range(TABLES):
        metric, human = random_tables(random, most_segments=30)
        for grouping in GROUPINGS:
            groups = groups_of(batch_by(metric, human, grouping))
            values = [TWINS[spec](*group) for group in groups]
            checked(spec, table_pair(metric, human), grouping, values, [weight_of(spec, g) for g in groups])
            vectors += len(groups)
    assert vectors > 2000


def test_calibrated_statistics():
    """One epsilon for all groups of a grouping, found by trying every difference; then acc23 and tau23 at it."""
    random = np.random.default_rng(77)
    vectors = 0
    for _ in range(SMALL_TABLES):
        metric, human = random_tables(random, 4, 5)
        for grouping in GROUPINGS:
            batch = batch_by(metric, human, grouping)
            groups, epsilon = groups_of(batch), twins.best_epsilon(batch)
            shares = [twins.acc23(*group, epsilon=epsilon) for group in groups]
            sizes = [len(group[0]) for group in groups]
            tables = table_pair(metric, human)
            found = checked("acc-star", tables, grouping, shares, sizes)
            assert float(found.details["epsilon"]) == epsilon
            checked("tau-star", tables, grouping, [2 * share - 1 for share in shares], sizes)
            vectors += len(groups)
    assert vectors > 2000


@pytest.mark.parametrize("spec", ["pairwise-accuracy", "pairwise-accuracy:ties=wrong"])
def test_systems_in_both_conventions_of_ties(spec):
    """2,000 campaigns at the system level, and the counts that language pairs are pooled by."""
    random = np.random.default_rng(len(spec))
    for _ in range(2000):
        metric, human = (side.reshape(-1, 1) for side in random_tables(random, 4, 4))
        found = agree(*table_pair(metric, human, "system"), spec, resamples=0)
        c, d, tx, ty, both = tally(*next(members(batch_of(metric.T, human.T))))
        hits, pairs = (c, c + d + tx) if "wrong" in spec else (c + both, c + d + tx + ty + both)
        assert found.value == pytest.approx(hits / pairs if pairs else math.nan, abs=1e-15, nan_ok=True)
        assert (found.hits or 0, found.pairs or 0) == (hits, pairs)
