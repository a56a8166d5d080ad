"""Tests reject as often as they say, intervals cover as often as they say, and a known difference is shown.

The short form of `make honesty`: real outputs, fixed seeds, 400 nulls.
"""

from __future__ import annotations

import numpy as np
import pytest

from assay.types import Scorable
from scripts import honesty
from tests import archives

NULLS = 400
REJECTED = (0.02, 0.085)  # more than 2.7 standard errors around .05
COVERED = (0.92, 0.98)
SHOWN = (0.73, 0.87)


@pytest.fixture(scope="module")
def pool():
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return honesty.load_pool()


def outside(rates, limits):
    return [rate for rate in rates if not limits[0] <= rate.rate <= limits[1]]


@pytest.mark.slow
@pytest.mark.parametrize("n", honesty.SIZES)
def test_nulls_are_rejected_at_the_level(pool, n):
    rates = honesty.false_positives(pool, n, NULLS)
    promised = [rate for rate in rates if rate.limits]
    assert {rate.what for rate in promised} == {"randomisation", "bootstrap", "paired-t", "signed-rank"}
    assert len(promised) == 4 * 3
    assert outside(promised, REJECTED) == []
    others = [rate for rate in rates if not rate.limits]
    assert {rate.what for rate in others} == {"koehn", "sacrebleu"}
    assert all(rate.rate > 0.065 for rate in others)


@pytest.mark.slow
def test_documents_hold_the_level_where_segments_do_not(pool):
    rates = [rate for rate in honesty.document_false_positives(pool, NULLS) if rate.what in honesty.LIMITS]
    assert outside([rate for rate in rates if rate.unit == "document"], REJECTED) == []
    assert all(rate.rate > 0.085 for rate in rates if rate.unit == "segment")
    assert len(rates) == 3 * 2 * 2


@pytest.mark.slow
def test_intervals_cover_the_true_difference(pool):
    assert outside(honesty.coverage(pool, 1000, NULLS), COVERED) == []


@pytest.mark.slow
def test_a_known_difference_is_shown_with_the_promised_power(pool):
    assert outside(honesty.achieved_power(pool, ("Online-B", "OpenNMT"), 0.5, NULLS), SHOWN) == []


def drawn(pairs=3, n=12, seed=7):
    """Segment scores of pairs of systems."""
    values = np.random.default_rng(seed).integers(0, 100, (2 * pairs, n)).astype(np.float64)
    return Scorable.of_segments(values, tuple(map(str, range(2 * pairs))))


def test_pairs_that_share_their_resamples_are_compared_as_each_alone():
    together = honesty.compared(drawn(), 5)
    for test in honesty.SUM_TESTS:
        p = honesty.p_values(together, test)
        for pair in range(3):
            alone = Scorable.of_segments(drawn().table[2 * pair : 2 * pair + 2, :, 0], ("first", "second"))
            assert p[pair] == honesty.p_values(honesty.compared(alone, 5), test)[0]


def test_the_rule_of_sacrebleu():
    scores = honesty.compared(drawn(), 5)
    p = honesty.sacrebleu_p_values(scores)
    for pair in range(3):
        resampled = np.abs(scores.replicates[2 * pair] - scores.replicates[2 * pair + 1])
        observed = abs(scores.scores[2 * pair] - scores.scores[2 * pair + 1])
        assert p[pair] == (1 + (resampled - resampled.mean() > observed).sum()) / (1 + honesty.RESAMPLES)


def test_a_system_and_its_copy():
    scores = honesty.compared(Scorable.of_segments(drawn().table[[0, 0, 1, 1], :, 0], "abcd"), 1)
    for test in (*honesty.SUM_TESTS, *honesty.MEAN_TESTS):
        assert honesty.p_values(scores, test).tolist() == [1.0, 1.0]
    assert honesty.sacrebleu_p_values(scores).tolist() == [1 / 1001] * 2  # its rule calls them different


def test_swapped_segments_are_exchanged_between_the_two_systems():
    scorable = Scorable.of_segments(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]), "abc")
    draw = honesty.Draw(np.array([[0, 2]]), np.array([[2, 0]]), np.array([[True, False]]), 1)
    assert draw.of(scorable).segment_values.tolist() == [[9.0, 1.0], [3.0, 7.0]]
