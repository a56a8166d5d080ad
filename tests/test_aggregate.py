from __future__ import annotations

import numpy as np
import pytest

from assay import _core, aggregate

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


def test_sums_that_float32_gets_wrong():
    """A million segments of about 30 tokens: sacreBLEU's single-precision sum is off by hundreds."""
    table = RNG.integers(0, 60, (1, 1_000_000, 1))
    assert aggregate.totals(table, threads=2)[0, 0] == table.sum()
    assert int(table.astype(np.float32).cumsum(dtype=np.float32)[-1]) != table.sum()


@pytest.mark.parametrize("segments", [1, 7, 8, 1023, 1024, 1025, 5000])
def test_real_sums_do_not_depend_on_threads(segments):
    table = RNG.normal(size=(3, segments, 2))
    weights = RNG.integers(0, 4, (9, segments)).astype(np.uint32)
    first = _core.Summable(table).sums(weights, 1)
    for threads in (2, 3, 4):
        assert _core.Summable(table).sums(weights, threads).tobytes() == first.tobytes()
    np.testing.assert_allclose(first, np.einsum("bi,sik->sbk", weights, table), rtol=1e-9, atol=1e-9)


def test_shards_cut_at_blocks_give_the_same_bytes():
    table = RNG.normal(size=(1, 4096, 1))
    whole = aggregate.totals(table, threads=1)
    parts = 0.0
    for start in range(0, 4096, 1024):
        parts = parts + aggregate.totals(np.ascontiguousarray(table[:, start : start + 1024]), threads=1)
    assert whole.tobytes() == parts.tobytes()


def test_mean_table_leaves_out_the_undefined():
    scorable = aggregate.mean_of(np.array([[1.0, np.nan, 3.0], [np.nan] * 3]))
    assert scorable.table.tolist() == [[[1, 1], [0, 0], [3, 1]], [[0, 0]] * 3]
    np.testing.assert_array_equal(scorable.values(threads=1), [2.0, np.nan])


def test_resampled_scores_by_hand():
    scorable = aggregate.mean_of(np.array([[1.0, 5.0]]))
    blocks = [np.array([[2, 0], [1, 1]], dtype=np.uint32), np.array([[0, 2]], dtype=np.uint32)]
    (found,) = aggregate.resampled_scores([scorable], blocks, threads=1)
    assert found.tolist() == [[1.0, 3.0, 5.0]]


def test_interval_leaves_equal_tails():
    low, high = aggregate.interval(np.arange(101.0)[np.newaxis], 0.9)
    assert (low.item(), high.item()) == (pytest.approx(5), pytest.approx(95))


@pytest.mark.parametrize("size", [1, 2, 3, 40, 1000])
def test_interval_is_numpys_quantile(size):
    """Which is not called because it makes numpy import its masked arrays."""
    replicates = RNG.normal(size=(3, size))
    low, high = aggregate.interval(replicates, 0.95)
    np.testing.assert_allclose([low, high], np.quantile(replicates, [0.025, 0.975], axis=1), atol=1e-12)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="differ in segments"):
        _core.Summable(np.zeros((1, 2, 1))).sums(np.zeros((1, 3), np.uint32), 1)
