from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats

from assay.comparison.differences import ComparisonOptions, paired_scores, win_counts
from assay.errors import ConfigError
from assay.significance.corrections import corrected
from assay.types import Scorable
from assay.types.runtime import Runtime

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


def many_systems(systems, n, *, seed, shifts=0.0):
    """Values that depend on the segment as well as the system."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(systems, n)) + 2 * random.normal(size=n)
    return Scorable.of_segments(values + np.reshape(shifts, (-1, 1)), tuple(f"s{i}" for i in range(systems)))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "koehn"])
def test_pairs_that_few_resamples_reach_are_drawn_further(test):
    scorable = many_systems(6, 50, seed=3, shifts=[0, 0, 0.3, 0.6, 1.0, 3.0])
    pairs = list(combinations(range(6), 2))
    scores = compared(scorable, test=test, resamples=100, may_draw_more=True)
    outcomes = scores.test(pairs, RUNTIME)
    limit = scores.options.resample_limit(len(pairs), 50)
    assert limit == 1500
    for pair, outcome in zip(pairs, outcomes, strict=True):
        # as many resamples by themselves give the same: those of a number are always the same
        assert compared(scorable, test=test, resamples=outcome.resamples).p_value(*pair) == (outcome.p, None)
        extreme = round(outcome.p * (1 + outcome.resamples)) - 1
        assert outcome.resamples == limit or extreme >= 10
        earlier = outcome.resamples - 100
        if earlier:  # it was right to go on
            assert compared(scorable, test=test, resamples=earlier).p_value(*pair)[0] * (1 + earlier) - 1 < 9.5
    assert len({outcome.resamples for outcome in outcomes}) > 1
    plain = compared(scorable, test=test, resamples=100).test(pairs, RUNTIME)
    assert {outcome.resamples for outcome in plain} == {100}
    assert scores.test(pairs, Runtime(threads=3)) == outcomes


def test_drawing_further_reports_progress():
    steps = []
    runtime = Runtime(progress=lambda *step: steps.append(step))
    pairs = list(combinations(range(6), 2))
    options = {"resamples": 100, "may_draw_more": True}
    compared(many_systems(6, 50, seed=3, shifts=[0, 0, 0, 0, 0, 3.0]), **options).test(pairs, runtime)
    told = [step for step in steps if step[0].startswith("drawing more than")]
    assert told[0] == ("drawing more than 100 resamples", 0, 14)
    assert told[-1][1:] == (14, 14)
    steps.clear()
    compared(many_systems(6, 50, seed=3), **options, alternative="better", seed=1).test([(0, 1)], runtime)
    assert not steps  # one pair needs no more


def test_what_is_not_drawn_further():
    scorable = many_systems(3, 50, seed=3, shifts=[0, 1, 3])
    options = {"resamples": 100, "may_draw_more": True}
    pairs = [(0, 1), (0, 2), (1, 2)]
    few = compared(scorable, **options, correction="none").test(pairs, RUNTIME)
    assert {outcome.resamples for outcome in few} == {100}  # enough for the number of pairs
    units = many_systems(10, 5, seed=3)
    found = compared(units, **options).test(list(combinations(range(10), 2)), RUNTIME)
    assert {outcome.resamples for outcome in found} == {100}  # five units have only 32 swaps
    samples = compared(scorable, **options, test="paired-t").test(pairs, RUNTIME)
    assert {outcome.resamples for outcome in samples} == {None}
    same = Scorable.of_segments(np.tile(scorable.table[:1, :, 0], (12, 1)), tuple(map(str, range(12))))
    copies = compared(same, **options).test(list(combinations(range(12), 2)), RUNTIME)
    assert {(outcome.p, outcome.resamples) for outcome in copies} == {(1.0, 100)}


@pytest.mark.slow
@pytest.mark.parametrize("better", [0, 4])
def test_drawing_further_keeps_the_level(better):
    """Ten systems, of which some are better than the others and equal to each other; all pairs, with Holm's correction.

    No more than 5 % of such comparisons call any pair of equal systems different (here 2.6 to 4 %), and no more than
    the share a of single p-values is a or lower.
    """
    pairs = list(combinations(range(10), 2))
    is_null = np.array([(one < better) == (other < better) for one, other in pairs])
    found = []
    for seed in range(400):
        scorable = many_systems(10, 60, seed=seed, shifts=[0.8] * better + [0.0] * (10 - better))
        scores = compared(scorable, resamples=100, may_draw_more=True, seed=seed)
        found.append([outcome.p for outcome in scores.test(pairs, RUNTIME)])
    p_values = np.array(found)
    wrong = [bool((corrected(row, "holm")[is_null] < 0.05).any()) for row in p_values]
    assert np.mean(wrong) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(wrong))
    for level, allowed in ((0.05, 0.054), (0.01, 0.0115), (0.001, 0.0016)):
        assert (p_values[:, is_null] <= level).mean() <= allowed
