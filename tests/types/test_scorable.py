from __future__ import annotations

import numpy as np
import pytest

from assay.errors import AlignmentError, UnknownNameError
from assay.types import Scorable, ratio_of_sums, totals
from assay.types.runtime import Runtime

RNG = np.random.default_rng(3)
ONE_THREAD = Runtime(threads=1)


def test_the_mean_table_leaves_out_undefined_values():
    scorable = Scorable.of_segments(np.array([[1.0, np.nan, 3.0], [np.nan] * 3]), ("x", "y"))
    assert scorable.table.tolist() == [[[1, 1], [0, 0], [3, 1]], [[0, 0]] * 3]
    assert scorable.mask.tolist() == [[True, False, True], [False] * 3]
    np.testing.assert_array_equal(scorable.values(ONE_THREAD), [2.0, np.nan])
    np.testing.assert_array_equal(scorable.segment_values, [[1.0, np.nan, 3.0], [np.nan] * 3])


def test_a_one_dimensional_sample_is_one_system():
    scorable = Scorable.of_segments(np.array([1.0, 2.0]), ("x",))
    assert scorable.table.shape == (1, 2, 2)
    assert Scorable.of_segments(np.array([]), ("x",)).table.shape == (1, 0, 2)


def test_one_system_and_some_segments():
    scorable = Scorable.of_segments(np.array([[1.0, 2.0, 6.0], [0.0, np.nan, 5.0]]), ("x", "y"))
    alone = scorable.system("y")
    assert alone.systems == ("y",)
    assert alone.values(ONE_THREAD).tolist() == [2.5]
    assert scorable.take(np.array([0, 2])).values(ONE_THREAD).tolist() == [3.5, 2.5]
    assert scorable.take(np.arange(3)) is scorable
    with pytest.raises(UnknownNameError, match="no system is called 'z'"):
        scorable.system("z")


def test_segments_in_another_order():
    scorable = Scorable.of_segments(np.array([[1.0, np.nan, 6.0]]), ("x",))
    reversed_order = scorable.take(np.array([2, 1, 0]))
    np.testing.assert_array_equal(reversed_order.segment_values, [[6.0, np.nan, 1.0]])
    assert reversed_order.mask.tolist() == [[True, False, True]]


@pytest.mark.parametrize("masked", [7.0, -1e300, np.nan, np.inf])
def test_masked_cells_do_not_count(masked):
    table = np.array([[[1.0, 1.0], [masked, masked], [3.0, 1.0]], [[4.0, 1.0], [5.0, 1.0], [masked, 1.0]]])
    mask = np.array([[True, False, True], [True, True, False]])
    scorable = Scorable(table, ratio_of_sums, mask, ("x", "y"), is_mean=True)
    assert scorable.values(ONE_THREAD).tolist() == [2.0, 4.5]
    assert scorable.system("y").values(ONE_THREAD).tolist() == [4.5]
    np.testing.assert_array_equal(scorable.segment_values, [[1.0, np.nan, 3.0], [4.0, 5.0, np.nan]])
    assert np.array_equal(table[0, 1], [masked, masked], equal_nan=True)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_table_is_copied_only_if_masked_cells_are_not_zero(dtype):
    table, mask = np.array([[[1, 1], [0, 0]]], dtype), np.array([[True, False]])
    assert Scorable(table, ratio_of_sums, mask, ("x",)).table is table
    other = Scorable(table + dtype(1), ratio_of_sums, mask, ("x",)).table
    assert (other.dtype, other.tolist()) == (dtype, [[[2, 2], [0, 0]]])


def test_other_scores_have_no_segment_values():
    table = RNG.integers(0, 9, (2, 5, 3))
    scorable = Scorable(table, lambda sums: sums[..., 0] / sums[..., 2], np.ones((2, 5), bool), ("x", "y"))
    assert scorable.segment_values is None
    assert scorable.values(ONE_THREAD)[1] == table[1, :, 0].sum() / table[1, :, 2].sum()
    assert repr(scorable) == "Scorable(2 systems, 5 segments, 3 columns)"


@pytest.mark.parametrize(("shape", "mask"), [((2, 5, 3), (2, 4)), ((3, 5, 3), (2, 5)), ((2, 5), (2, 5))])
def test_shapes_that_do_not_fit_are_refused(shape, mask):
    with pytest.raises(AlignmentError, match="do not fit 2 systems"):
        Scorable(np.zeros(shape), ratio_of_sums, np.ones(mask, bool), ("x", "y"))


def test_sums_that_float32_gets_wrong():
    """A million segments of about 30 tokens: sacreBLEU's single-precision sum is off by hundreds."""
    table = RNG.integers(0, 60, (1, 1_000_000, 1))
    assert totals(table, Runtime(threads=2))[0, 0] == table.sum()
    assert int(table.astype(np.float32).cumsum(dtype=np.float32)[-1]) != table.sum()


def test_shards_cut_at_blocks_give_the_same_bytes():
    table = RNG.normal(size=(1, 4096, 1))
    whole = totals(table, ONE_THREAD)
    shards = 0.0
    for start in range(0, 4096, 1024):
        shards = shards + totals(np.ascontiguousarray(table[:, start : start + 1024]), ONE_THREAD)
    assert whole.tobytes() == shards.tobytes()


def test_masked_segment_scores_do_not_count():
    values = np.ma.array([[1.0, 2.0]], mask=[[False, True]])
    assert Scorable.of_segments(values, ("a",)).mask.tolist() == [[True, False]]
