"""Agreement of answers that were made twice, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.judges.panel import Panel
from assay.judges.repeats import changed_orders, cohen_kappa
from assay.metaeval.repeated_scores import repeated_measures

NAN = math.nan


def test_kappa():
    """Three of four answers are equal; by chance (1*2 + 3*2) / 16."""
    assert cohen_kappa([(1, 1), (0, 1), (0, 0), (0, 0)]) == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert math.isnan(cohen_kappa([(1, 1), (1, 1)]))
    assert math.isnan(cohen_kappa([]))


def orders(one, other):
    return changed_orders(np.array(one, dtype=float), np.array(other, dtype=float))


def test_orders_of_three_systems():
    """By their means 3 2 1 and 3 1 2: one of three pairs changes."""
    assert orders([[3], [2], [1]], [[3], [1], [2]]) == (1, 3)
    assert orders([[3], [2], [1]], [[3], [2], [2]]) == (1, 3)  # a tie is an order of its own


def test_equal_means_are_a_tie_whatever_the_order_of_their_sums():
    """-0.1 -0.2 -0.3 and -0.3 -0.2 -0.1 have sums that differ by rounding."""
    up, down = [-0.1, -0.2, -0.3], [-0.3, -0.2, -0.1]
    assert np.mean(up) != np.mean(down)
    assert orders([up, down], [down, up]) == (0, 1)


def test_scores_that_are_absent():
    assert orders([[2, NAN], [1, 9]], [[2, 0], [1, 9]]) == (0, 1)
    assert orders([[2, NAN], [NAN, 9]], [[2, 0], [1, 9]]) == (0, 0)  # no segment in common
    assert orders([[2, 1], [NAN, NAN], [1, 1]], [[2, 1], [3, 3], [1, 1]]) == (0, 1)  # the second has none


def test_the_note_and_the_table_of_votes_agree():
    """Votes are compared two by two, over the segments that these two have: a gap in the third changes nothing."""
    values = np.array([[[5, 5, 5], [5, 5, 5], [9, 0, NAN]], [[4, 4, 4], [6, 6, 6], [4, 4, 4]]])
    stability = Panel(values).vote_stability()
    pairs = [(values[..., u], values[..., v]) for u, v in ((0, 1), (0, 2), (1, 2))]
    share, _ = repeated_measures("votes", "pairs of votes", pairs)["pairs of systems in another order, votes"]
    assert (stability.changed, stability.pairs) == (1, 3)
    assert (share.value, share.n) == (pytest.approx(1 / 3), 3)
