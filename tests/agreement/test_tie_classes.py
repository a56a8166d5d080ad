from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import Batch, statistic
from assay.agreement.tie_classes import merge_ties, with_tie_classes

RANK_STATISTICS = (
    "kendall",
    "kendall:variant=c",
    "spearman",
    "acc23",
    "acc-star",
    "pairwise-accuracy",
    "kendall-wmt12",
)


def batch(metric, human, mask=None):
    metric, human = np.atleast_2d(np.array(metric, dtype=float)), np.atleast_2d(np.array(human, dtype=float))
    return Batch(metric, human, np.ones(metric.shape, dtype=bool) if mask is None else np.atleast_2d(mask))


@pytest.mark.parametrize("spec", RANK_STATISTICS)
def test_rounding_errors_are_ties(spec):
    """0.1 + 0.2 is not 0.3 in binary, but the same score."""
    created = statistic.create(spec)
    noisy = batch([0.1 + 0.2, 0.3, 0.5, 0.4], [1.0, 2.0, 3.0, 4.0])
    exact = batch([0.3, 0.3, 0.5, 0.4], [1.0, 2.0, 3.0, 4.0])
    assert created.compute(noisy).values.tolist() == created.compute(exact).values.tolist()
    turned = (batch(each.human, each.metric) for each in (noisy, exact))
    assert len({created.compute(each).values[0] for each in turned}) == 1


def test_neighbours_within_the_tolerance_are_one_class():
    """A chain of neighbours is one class, even if its ends are further apart."""
    values = np.array([[1.0, 1 + 0.9e-10, 1 + 1.8e-10, 1.5, 0.5], [1e-12, 2e-12, 3e-12, 4e-12, 5e-12]])
    merged = merge_ties(values, np.ones(values.shape, dtype=bool))
    assert merged[0].tolist() == [1.0, 1.0, 1.0, 1.5, 0.5]
    assert merged[1].tolist() == values[1].tolist()  # relative to the largest score of the group
    assert merge_ties(np.array([[1.0, 1 + 3e-10]]), np.ones((1, 2), dtype=bool))[0, 1] > 1
    assert merge_ties(np.array([[-5.0, 0.0, 1e-11]]), np.ones((1, 3), dtype=bool)).tolist() == [[-5.0, 0.0, 0.0]]


def test_cells_outside_the_mask_do_not_count():
    values = np.array([[1.0, 1 + 1e-12, 1e6, 2.0]])
    mask = np.array([[True, True, False, True]])
    assert merge_ties(values, mask).tolist() == [[1.0, 1.0, 1e6, 2.0]]
    chained = np.array([[1.0, 1 + 1.5e-10, 1 + 0.75e-10]])
    assert (merge_ties(chained, np.array([[True, True, False]])) == chained).all()
    assert with_tie_classes(batch([1.0], [1.0])).metric.tolist() == [[1.0]]


def test_without_anything_to_merge_nothing_is_copied():
    given = batch([1.0, 2.0, 2.0], [1.0, 1.0, 3.0])
    assert with_tie_classes(given) is given
