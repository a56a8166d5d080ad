"""Scores of random totals, compared with sacreBLEU's in all bits."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu.metrics as theirs

from assay.comparison.sacrebleu.arithmetic import scores_of_totals, with_integer_arrays
from assay.compat import sacrebleu as ours
from tests.compat.sacrebleu.oracle import same_bits
from tests.compat.sacrebleu.test_significance import CASES


def columns(metric):
    """How many statistics a metric has."""
    if isinstance(metric, theirs.BLEU):
        return 2 + 2 * metric.max_ngram_order
    return 3 * metric.order if isinstance(metric, theirs.CHRF) else 2


def random_totals(rng, size, high):
    """As in a corpus, but many are 0: no more matches than n-grams, and none of orders without a reference."""
    totals = rng.integers(0, high, size) * (rng.random(size) < rng.choice([0.5, 0.9, 1.0]))
    if size[1] % 3 == 0:  # chrF
        totals[:, 0::3] *= totals[:, 1::3] > 0
        totals[:, 2::3] = np.minimum(totals[:, 2::3], np.minimum(totals[:, 0::3], totals[:, 1::3]))
        totals *= np.cumprod(np.repeat(totals[:, 1::3] > 0, 3, axis=1), axis=1)
    elif size[1] > 2:  # BLEU
        order = size[1] // 2 - 1
        totals[:, 2 : 2 + order] = np.minimum(totals[:, 2 : 2 + order], totals[:, 2 + order :])
    return totals


@same_bits
@pytest.mark.parametrize(("metric", "options"), CASES)
@pytest.mark.parametrize("high", [2, 30, 100_000])
def test_the_same_bits_in_single_and_double_precision(metric, options, high):
    their_metric, our_metric = getattr(theirs, metric)(**options), getattr(ours, metric)(**options)
    rng = np.random.default_rng(high)
    for _ in range(10):
        totals = random_totals(rng, (20, columns(their_metric)), high)
        single = totals.astype(np.float32)
        expected = np.array([their_metric._compute_score_from_stats(row.copy()).score for row in single])
        found = scores_of_totals(our_metric.metric, single)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype
        expected = [their_metric._compute_score_from_stats(row).score for row in totals.tolist()]
        np.testing.assert_array_equal(scores_of_totals(our_metric.metric, totals.astype(np.float64)), expected)
        assert [our_metric._compute_score_from_stats(row).score for row in totals.tolist()] == expected
        expected = [their_metric._compute_score_from_stats(row.copy()).score for row in totals]
        of_arrays = with_integer_arrays(our_metric.metric)
        np.testing.assert_array_equal(scores_of_totals(of_arrays, totals.astype(np.float64)), expected)
