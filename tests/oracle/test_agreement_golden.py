"""Values of other programs, kept as numbers: mt-metrics-eval 0.0.3 (its own tests) and nlpstats 0.0.1 (run once)."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from assay import ScoreTable, _core, agree
from assay.agreement import soft_pairwise_accuracy as module
from assay.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy

NAN = np.nan


def agreement(metric, human, spec, grouping="none", average="macro", level=None):
    """Of scores (system, segment)."""
    metric, human = (np.atleast_2d(np.array(side, dtype=float)) for side in (metric, human))
    names = tuple(f"system{k}" for k in range(len(metric)))
    tables = ScoreTable("m", "segment", names, metric), ScoreTable("h", "segment", names, human, protocol="DA-z")
    return agree(*tables, spec, grouping=grouping, average=average, level=level)


@pytest.mark.parametrize(
    ("spec", "none", "system", "item"),
    [
        ("pearson", 0.776, 0.760, 1.0),
        ("kendall", 0.552, 0.575, 1.0),
        ("kendall:variant=c", 0.556, 0.611, 1.0),
        ("pdp", 0.776, 0.766, 0.926),
    ],
)
def test_groupings(spec, none, system, item):
    """g = 1..6, m = [2, 1, 4, 3, 3, 7], two systems."""
    metric, human = [[2, 1, 4], [3, 3, 7]], [[1, 2, 3], [4, 5, 6]]
    found = [agreement(metric, human, spec, grouping).value for grouping in ("none", "system", "item")]
    assert found == pytest.approx([none, system, item], abs=5e-4)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        *(("kendall", 0.316227766), ("kendall:variant=c", 0.32), ("tau23", 0.2), ("acc23", 0.6)),
        *(("acc23:epsilon=2", 0.4), ("acc-star", 0.7), ("tau-star", 0.4)),
    ],
)
def test_variants(spec, value):
    """g = [1, 2, 2, 3, 4], m = [2, 1, 1.5, 5, 3]."""
    assert agreement([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4], spec).value == pytest.approx(value, abs=5e-10)


@pytest.mark.parametrize(("spec", "value"), [("tau23", 7 / 21), ("tau23:epsilon=0.1", 7 / 21), ("acc23", 14 / 21)])
def test_ties(spec, value):
    """21 pairs: 13 concordant, 2 discordant, 3 tied in x alone, 2 in y alone, 1 in both; x and y may change places."""
    x, y = [1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3]
    assert agreement(x, y, spec).value == pytest.approx(value, abs=1e-15)
    assert agreement(y, x, spec).value == pytest.approx(value, abs=1e-15)


def test_ties_within_epsilon():
    """epsilon 1 on x: 7 concordant, 1 discordant, 10 tied in x alone, 3 in both."""
    found = agreement([1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3], "tau23:epsilon=1")
    assert found.value == pytest.approx((7 + 3 - 1 - 10) / 21, abs=1e-15)


@pytest.mark.parametrize(
    ("human", "systems", "threshold", "grouping", "value", "pairs"),
    [
        ([10, 11, 100, 150], 1, 25, "none", 3 / 5, 5),
        ([10, 11, 100, 150], 1, 1, "none", 2 / 6, 6),
        ([10, NAN, 100, 150], 1, 1, "none", 1 / 3, 3),
        ([10, 11, 100, 150], 2, 1, "item", 1.0, 2),
        ([10, NAN, 100, 150], 2, 1, "item", 1.0, 1),
    ],
)
def test_kendall_like(human, systems, threshold, grouping, value, pairs):
    shape = (systems, -1)
    found = agreement(
        np.reshape([2, 1, 4, 3], shape),
        np.reshape(human, shape),
        f"kendall-like:threshold={threshold}",
        grouping,
        "micro",
    )
    assert found.value == pytest.approx(value, abs=1e-15)
    assert found.weight == pairs


@pytest.mark.parametrize(
    ("human", "metric", "grouping", "average", "value"),
    [
        (
            [1, NAN, 3, 4, 5, 6],
            [2, 1, 4, 3, 5, 6],
            "none",
            "macro",
            np.corrcoef([1, 3, 4, 5, 6], [2, 4, 3, 5, 6])[0, 1],
        ),
        ([1, 2, 3, 4, 5, 6], [2, 1, 8, 3, 5, 6], "item", "macro", (1 + 1 - 1) / 3),
        ([1, NAN, 3, 4, 5, 6], [2, 1, 8, 3, 5, 6], "item", "macro", (1 - 1) / 2),
        ([1, 2, 3, 4, 5, 6], [2, 2, 2, 4, 5, 6], "system", "macro", 1.0),  # the constant group has no value
        ([1, NAN, 3, 4, 5, 6], [2, 1, 8, 3, 5, 6], "system", "micro", (2 + 3 * np.sqrt(27 / 28)) / 5),
    ],
)
def test_averages_and_gaps(human, metric, grouping, average, value):
    """Pearson of two systems and three segments; r of (4, 5, 6) and (3, 5, 6) is sqrt(27 / 28)."""
    found = agreement(np.reshape(metric, (2, 3)), np.reshape(human, (2, 3)), "pearson", grouping, average)
    assert found.value == pytest.approx(value, abs=1e-15)


def test_agreement_of_pairs():
    """g = [1, 2, 3, 3, 4], m = [1, 1, 2, 1, 2]: 5 of 10."""
    metric, human = ([[v] for v in side] for side in ([1, 1, 2, 1, 2], [1, 2, 3, 3, 4]))
    found = agreement(metric, human, "pairwise-accuracy", level="system")
    assert (found.hits, found.pairs, found.value) == (5, 10, 0.5)


CALIBRATIONS = [  # metric, human, accuracy at each epsilon from 0 on, the best
    ([0, 2, 6, 8], [1, 2, 3, 4], {0: 6 / 6, 2: 4 / 6, 4: 3 / 6, 6: 1 / 6, 8: 0}, 0),
    ([0, 2, 6, 8], [1, 1, 1, 4], {0: 3 / 6, 2: 3 / 6, 4: 4 / 6, 6: 4 / 6, 8: 3 / 6}, 4),
    (
        [[0, 5, 2, 3, 2], [NAN, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [NAN] * 5],
        [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, NAN, 3, 2], [NAN] * 5],
        dict(enumerate([56 / 120, 59 / 120, 46 / 120, 35 / 120, 32 / 120, 24 / 120, 19 / 120, 19 / 120, 14 / 120])),
        1,
    ),
]


@pytest.mark.parametrize(("metric", "human", "accuracies", "best"), CALIBRATIONS)
def test_tie_calibration(metric, human, accuracies, best):
    for epsilon, accuracy in accuracies.items():
        assert agreement(metric, human, f"acc23:epsilon={epsilon}", "system").value == pytest.approx(
            accuracy, abs=1e-15
        )
    found = agreement(metric, human, "acc-star", "system")
    assert (found.value, float(found.details["epsilon"])) == (pytest.approx(accuracies[best], abs=1e-15), best)


@pytest.fixture
def signs(monkeypatch):
    """A way to replace the coins of soft pairwise accuracy: 1 turns the sign of a difference."""

    def use(turned):
        coins = SimpleNamespace(swap_weights=lambda *_: np.array(turned, dtype=np.uint32), Summable=_core.Summable)
        monkeypatch.setattr(module, "_core", coins)

    return use


def test_soft_pairwise_accuracy(signs):
    """.872 with the signs that mt-metrics-eval resamples: single-precision uniform numbers of seed 4, rounded."""
    drawn = np.rint(np.random.default_rng(4).random((1000, 3), dtype=np.float32))
    signs(1 - drawn)
    found = agreement([[2, 2, 4], [1, 3, 5]], [[1, 2, 3], [2, 3, 4]], "spa:ties=at-least", level="system")
    assert found.value == pytest.approx(0.872, abs=1e-15)


def test_all_signs_of_the_worked_example():
    """a beats b by .6 on each of five segments: of all 32 sign vectors one reaches the sum, and is equal to it."""
    signs = np.array(list(product([0, 1], repeat=5)), dtype=np.uint32)
    scores = np.array([[0.8, 0.9, 0.7, 1, 0.6], [0.2, 0.3, 0.1, 0.4, 0]])
    for ties, p in (("at-least", 1 / 32), ("half", 1 / 64)):
        statistic = SoftPairwiseAccuracy(resamples=32, ties=ties)
        assert statistic.p_better(scores, np.ones(scores.shape, dtype=bool), signs)[0, 1] == p


X = [
    *([1, 6, 2, 4, 0], [NAN, 7, 0, NAN, 1], [2, 5, 8, 7, 0], [NAN, 4, 4, NAN, 1], [6, 0, 1, 1, 2]),
    *([5, 4, 7, 2, NAN], [NAN, 3, 3, 8, NAN], [8, NAN, 7, 3, 4], [3, NAN, 1, 8, NAN]),
]
Z = [
    *([3, 4, 3, 4, 0], [NAN, 6, 5, NAN, 2], [2, 0, 4, 3, 0], [NAN, 6, 1, NAN, 5], [4, 4, 4, 7, 5]),
    *([5, 4, 4, 7, NAN], [NAN, 1, 5, 0, NAN], [5, NAN, 8, 4, 5], [7, NAN, 3, 3, NAN]),
]


@pytest.mark.parametrize(
    ("spec", "system_level", "input_level", "global_level"),
    [
        ("pearson", -0.020178724589091243, 0.14051587096074514, 0.09673199896125355),
        ("spearman", 0.11715583722580122, 0.15690503085374535, 0.0961345765420437),
        ("kendall", 0.08451542547285165, 0.09280441527266654, 0.06263224100973569),
    ],
)
def test_levels_of_nlpstats(spec, system_level, input_level, global_level):
    """Nine systems, five inputs, ties and gaps. Its levels are our system level, by item, and all in one vector."""
    options = ({"level": "system"}, {"grouping": "item"}, {"grouping": "none"})
    found = [agreement(X, Z, spec, **each).value for each in options]
    assert found == pytest.approx([system_level, input_level, global_level], abs=1e-14)


def test_system_level_of_nlpstats():
    x, z = [[1, 9, 2], [4, 5, 2], [6, 7, 2]], np.arange(11, 20).reshape(3, 3)
    found = [agreement(x, z, "pearson", **each).value for each in ({"level": "system"}, {"grouping": "item"})]
    assert found == pytest.approx([0.720576692122892, 0.24669963389939142], abs=1e-14)


def test_where_mt_metrics_eval_is_no_oracle():
    """A human tie at threshold 0 counts there as discordant (-1), no pair as 0; here it is no pair, which is NaN."""
    found = agreement([1, 1], [1, 1], "kendall-like:threshold=0")
    assert np.isnan(found.value)
    assert found.reason == "no two human scores differ"
    assert np.isnan(agreement([[1], [2]], [[1], [NAN]], "pearson", "item").value)
