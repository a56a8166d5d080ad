from __future__ import annotations

import numpy as np
import pytest

from assay.reproduction import wmt13
from assay.types import Rankings
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@pytest.mark.slow
@needs_archives
def test_all_values_of_the_mteval_metrics_come_out():
    met = {each.quantity for each in rerun("wmt13") if each.verdict == "met"}
    for metric in ("BLEU-MTEVAL", "BLEU-MTEVAL-INTL", "NIST-MTEVAL", "NIST-MTEVAL-INTL"):
        for lp in wmt13.DIRECTIONS:
            assert f"{metric}, {lp}" in met
    assert "SENTBLEU-MOSES, de-en" in met
    assert sum(not quantity.endswith("±") for quantity in met) == 25


@pytest.mark.slow
@needs_archives
def test_the_published_widths_are_those_of_resampled_rankings():
    widths = [each for each in rerun("wmt13") if each.quantity.endswith("±")]
    assert len(widths) == 44
    assert sum(each.verdict == "met" for each in widths) >= 36
    ratios = [each.ours.value / each.published.value for each in widths]
    assert np.median(ratios) == pytest.approx(0.97, abs=0.05)


def test_rankings_are_put_together_again():
    """Two rankings of segment 0, the first with a tie of b and c, and one of segment 4."""
    rows = ["a>b", "a>c", "a>d", "b>d", "c>d", "a>b", "a>c", "b>c"]
    pairs = np.zeros((len(rows) + 1, 4), dtype=np.int8)
    for row, text in enumerate([*rows, "d>a"]):
        for rank, name in enumerate(text.split(">"), 1):
            pairs[row, "abcd".index(name)] = rank
    segment = np.array([0] * len(rows) + [4])
    judged = Rankings("rr-pairs", tuple("abcd"), ("?",), np.zeros(len(pairs), dtype=int), segment, pairs)
    found = wmt13.rankings_of_pairs(judged)
    assert found.segment.tolist() == [0, 0, 4]
    assert found.ranks.tolist() == [[1, 2, 2, 4], [1, 2, 3, 0], [2, 0, 0, 1]]


def test_more_than_five_systems_are_two_rankings():
    pairs = np.eye(6, dtype=np.int8)[:3] + 2 * np.eye(6, k=3, dtype=np.int8)[:3]
    judged = Rankings("rr-pairs", tuple("abcdef"), ("?",), np.zeros(3, dtype=int), np.zeros(3, dtype=int), pairs)
    assert len(wmt13.rankings_of_pairs(judged)) == 2


def test_an_interval_is_of_rankings():
    table = on_made_up_data("wmt13").results["table-2"]
    basis = table.agreement("bleu-mteval", lp="fr-en").estimate.basis
    assert (basis.method, basis.n) == ("judgements:unit=ranking", 59)
    half = numbers(on_made_up_data("wmt13"))["BLEU-MTEVAL, fr-en, ±"].ours.value
    assert half == pytest.approx(1.96 * table.agreement("bleu-mteval", lp="fr-en").estimate.standard_error)


def test_the_tables_have_the_same_metrics():
    assert set(wmt13.TABLE_2) == set(wmt13.METRICS)
    assert set(wmt13.TABLE_4) == set(wmt13.SEGMENT_METRICS)
