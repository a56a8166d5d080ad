from __future__ import annotations

import numpy as np
import pytest

from assay import _core, aggregate
from assay.aggregate.resample import Bootstrap
from assay.types import Scorable
from assay.types.runtime import Runtime

RNG = np.random.default_rng(3)


def naive(table, weights):
    """The obvious sum, in Python's own integers."""
    out = np.zeros((len(table), len(weights), table.shape[2]), dtype=object)
    for s, rows in enumerate(table.tolist()):
        for b, row_weights in enumerate(weights.tolist()):
            for k in range(table.shape[2]):
                out[s, b, k] = sum(w * row[k] for w, row in zip(row_weights, rows, strict=True))
    return out


@pytest.mark.parametrize("largest", [3, 30_000, 2**20, 2**50])
@pytest.mark.parametrize("heaviest", [2, 40_000])
def test_integer_sums_are_exact(largest, heaviest):
    table = RNG.integers(-largest, largest, (3, 37, 4))
    weights = RNG.integers(0, heaviest, (5, 37)).astype(np.uint32)
    if largest * heaviest * 37 >= 2**63:
        with pytest.raises((OverflowError, ValueError)):
            _core.Summable(table).sums(weights, 1)
        return
    assert (_core.Summable(table).sums(weights, 1) == naive(table, weights)).all()


@pytest.mark.parametrize("segments", [1, 7, 8, 1023, 1024, 1025, 5000])
def test_real_sums_do_not_depend_on_threads(segments):
    table = RNG.normal(size=(3, segments, 2))
    weights = RNG.integers(0, 4, (9, segments)).astype(np.uint32)
    first = _core.Summable(table).sums(weights, 1)
    for threads in (2, 3, 4):
        assert _core.Summable(table).sums(weights, threads).tobytes() == first.tobytes()
    np.testing.assert_allclose(first, np.einsum("bi,sik->sbk", weights, table), rtol=1e-9, atol=1e-9)


def test_resampled_scores_by_hand():
    scorable = Scorable.of_segments(np.array([[1.0, 5.0]]), ("x",))
    (found,) = aggregate.resampled_scores([scorable], Bootstrap(20), runtime=Runtime(threads=1))
    (weights,) = Bootstrap(20).blocks(2, runtime=Runtime(threads=1))
    assert found.tolist() == [[(1.0 * first + 5.0 * second) / 2 for first, second in weights.tolist()]]


def test_interval_leaves_equal_tails():
    low, high = aggregate.interval(np.arange(101.0)[np.newaxis], 0.9)
    assert (low.item(), high.item()) == (pytest.approx(5), pytest.approx(95))


@pytest.mark.parametrize("size", [1, 2, 3, 40, 1000])
def test_interval_is_numpys_quantile(size):
    """Which is not called because it makes numpy import its masked arrays."""
    replicates = RNG.normal(size=(3, size))
    low, high = aggregate.interval(replicates, 0.95)
    np.testing.assert_allclose([low, high], np.quantile(replicates, [0.025, 0.975], axis=1), atol=1e-12)


def test_an_estimate_has_the_spread_of_its_replicates():
    replicates = np.arange(101.0)
    estimate = aggregate.estimate_from_replicates(50.5, replicates, 7, 0.9)
    assert (estimate.value, estimate.n, estimate.reason) == (50.5, 7, None)
    assert (estimate.low, estimate.high) == (pytest.approx(5), pytest.approx(95))
    assert estimate.standard_error == replicates.std(ddof=1)


def test_undefined_replicates_are_left_out_and_counted():
    replicates = np.array([np.nan, 1.0, np.nan, 3.0])
    estimate = aggregate.estimate_from_replicates(2.0, replicates, 5, 0.95)
    assert estimate.reason == "undefined in 2 of 4 resamples"
    assert estimate.standard_error == np.array([1.0, 3.0]).std(ddof=1)
    assert aggregate.estimate_from_replicates(2.0, replicates, 5, 0.95, reason="why").reason == "why"


@pytest.mark.parametrize("replicates", [[], [1.0], [np.nan, 1.0], [np.nan, np.nan]])
def test_fewer_than_two_replicates_give_no_interval(replicates):
    estimate = aggregate.estimate_from_replicates(2.0, np.array(replicates), 5, 0.95)
    assert (estimate.value, estimate.n) == (2.0, 5)
    assert np.isnan([estimate.low, estimate.high, estimate.standard_error]).all()
    assert (estimate.reason is None) == (not np.isnan(replicates).any())


def test_an_undefined_value_has_no_interval():
    """Resamples that do not draw the undefined segment have values, but of other segments."""
    (estimate,) = aggregate.estimates_from_replicates([np.nan], np.zeros((1, 9)), 2, 0.95, reasons=["no weight"])
    assert np.isnan([estimate.low, estimate.high, estimate.standard_error]).all()
    assert estimate.reason == "no weight"


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="differ in segments"):
        _core.Summable(np.zeros((1, 2, 1))).sums(np.zeros((1, 3), np.uint32), 1)


def test_the_mean_of_resamples_leaves_out_undefined_ones():
    """The third system has one scored segment: its score is undefined in the resamples without it."""
    segments = np.array([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0], [np.nan, np.nan, 5.0]])
    table = np.stack([np.nan_to_num(segments), ~np.isnan(segments)], axis=2)
    scorable = Scorable(table, lambda sums: sums[..., 0] / sums[..., 1], ~np.isnan(segments), ("a", "b", "c"))
    with np.errstate(invalid="ignore"):
        means = aggregate.mean_of_resamples(scorable, Bootstrap(200, None, 1), Runtime(1))
    assert means.tolist() == [pytest.approx(2.0, abs=0.2), 4.0, 5.0]
