from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from assay.comparison.differences import ComparisonOptions, paired_scores, win_counts
from assay.errors import ConfigError
from assay.runtime import Runtime
from assay.types import Scorable

RUNTIME = Runtime(threads=1)


def segments(*rows):
    return Scorable.of_segments(np.array(rows, dtype=float), tuple("abcdefgh"[: len(rows)]))


def corpus(*tables):
    """A score that is no mean: the ratio of the sums of two columns, squared."""
    table = np.array(tables, dtype=np.int64)
    mask = np.ones(table.shape[:2], dtype=bool)
    return Scorable(table, lambda sums: (sums[..., 0] / sums[..., 1]) ** 2, mask, tuple("abc"[: len(table)]))


def compared(scorable, *, higher_is_better=True, **options):
    return paired_scores({"x": scorable}, ComparisonOptions(**options), RUNTIME, higher_is_better=higher_is_better)["x"]


def exact_p(scorable, first, second, alternative):
    """All 2^n swaps, by hand."""
    tables = scorable.table[[first, second]]
    n = tables.shape[1]
    observed = np.subtract(*scorable.score(tables.sum(axis=1)))
    extreme = 0
    for swaps in product([False, True], repeat=n):
        swapped = tables.copy()
        swapped[:, list(swaps)] = swapped[::-1, list(swaps)]
        difference = np.subtract(*scorable.score(swapped.sum(axis=1)))
        if alternative == "two-sided":
            extreme += abs(difference) >= abs(observed) - 1e-12
        else:
            extreme += difference >= observed - 1e-12 if alternative == "better" else difference <= observed + 1e-12
    return extreme / 2**n


@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
@pytest.mark.parametrize("kind", ["segments", "corpus"])
def test_randomisation_estimates_the_share_of_all_swaps(kind, alternative):
    random = np.random.default_rng(3)
    values = random.integers(1, 9, (2, 9, 2))
    scorable = corpus(*values) if kind == "corpus" else segments(*values[..., 0])
    p, reason = compared(scorable, alternative=alternative, resamples=40_000).p_value(0, 1)
    exact = exact_p(scorable, 0, 1, alternative)
    assert reason is None
    assert p == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 40_000) + 1e-4)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "koehn"])
def test_a_system_and_its_copy(test):
    random = np.random.default_rng(4)
    row = random.normal(size=40)
    scores = compared(segments(row, row), test=test, resamples=500)
    assert scores.p_value(0, 1)[0] == 1.0
    assert scores.difference(0, 1).value == 0


def test_lower_is_better_turns_one_sided_tests_around():
    random = np.random.default_rng(5)
    worse = random.normal(1, 1, 60)
    rows = segments(worse, worse - 0.5 + random.normal(0, 0.1, 60))
    better = compared(rows, higher_is_better=False, alternative="better", resamples=999)
    assert better.p_value(1, 0)[0] == pytest.approx(1 / 1000)
    assert better.p_value(0, 1)[0] == 1.0


def test_the_centred_bootstrap_by_hand():
    random = np.random.default_rng(6)
    scores = compared(segments(random.normal(0.2, 1, 50), random.normal(0, 1, 50)), test="bootstrap", resamples=700)
    observed = scores.scores[0] - scores.scores[1]
    resampled = scores.replicates[0] - scores.replicates[1]
    expected = (1 + (np.abs(resampled - observed) >= abs(observed)).sum()) / 701
    assert scores.p_value(0, 1)[0] == pytest.approx(expected)
    win_share = compared(scores.scorable, test="koehn", resamples=700).p_value(0, 1)[0]
    assert win_share == pytest.approx((1 + (np.sign(observed) * resampled <= 0).sum()) / 701)


@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
def test_sample_tests_are_those_of_scipy(alternative):
    random = np.random.default_rng(7)
    first, second = random.normal(0.3, 1, 80), random.normal(0, 1, 80)
    side = {"two-sided": "two-sided", "better": "greater", "worse": "less"}[alternative]
    rows = segments(first, second)
    t_test = compared(rows, test="paired-t", alternative=alternative, resamples=10).p_value(0, 1)[0]
    assert t_test == pytest.approx(scipy.stats.ttest_rel(first, second, alternative=side).pvalue)
    ranks = compared(rows, test="signed-rank", alternative=alternative, resamples=10).p_value(0, 1)[0]
    assert ranks == pytest.approx(
        scipy.stats.wilcoxon(first, second, alternative=side, correction=True, method="approx").pvalue, rel=1e-6
    )


def test_sample_tests_need_means():
    with pytest.raises(ConfigError, match="x scores are not means of segment scores"):
        compared(corpus([[1, 2]], [[2, 3]]), test="paired-t")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "bootstrp"}, "unknown test 'bootstrp'"),
        ({"alternative": "greater"}, "unknown alternative"),
        ({"resamples": 0}, "resamples must be"),
        ({"alpha": 1.0}, "alpha must be between"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        ComparisonOptions(**options)


def test_undefined_scores_have_no_p_value():
    scores = compared(segments([np.nan, np.nan], [1.0, 2.0]), resamples=20)
    p, reason = scores.p_value(0, 1)
    assert np.isnan(p)
    assert reason == scores.difference(0, 1).reason == "a score is undefined"


def test_segments_won():
    first, second = np.array([1.0, 2.0, 3.0, np.nan]), np.array([0.0, 2.0, 5.0, 1.0])
    assert win_counts(first, second, higher_is_better=True) == (1, 1, 1)
    assert win_counts(first, second, higher_is_better=False) == (1, 1, 1)
    assert win_counts(first + 7e-15, second, higher_is_better=True) == (1, 1, 1), "rounding is no difference"
