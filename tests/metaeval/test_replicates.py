from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.agreement import tie_calibration
from assay.agreement.acc23 import Acc23
from assay.agreement.acc_star import AccStar
from assay.agreement.kendall import Kendall
from assay.agreement.pearson import Pearson
from assay.agreement.tau_star import TauStar
from assay.metaeval.alignment import align
from assay.metaeval.ranking_alignment import align_rankings
from assay.metaeval.replicates import replicates, values_of_subsets
from assay.resample import Bootstrap
from assay.runtime import Runtime
from assay.types import UNRANKED, Rankings, ScoreTable

SYSTEMS = tuple("abcdef")


def tables(level="segment", segments=7, seed=2):
    values = np.random.default_rng(seed).normal(size=(2, 6, segments if level == "segment" else 1))
    return ScoreTable("m", level, SYSTEMS, values[0]), ScoreTable("h", level, SYSTEMS, values[1], protocol="DA")


def drawn(count, items):
    (weights,) = Bootstrap(count).blocks(items, Runtime())
    return [np.repeat(np.arange(items), row) for row in weights]


def test_systems_are_resampled_at_the_system_level():
    aligned = align(*tables("system"))
    found = replicates(Pearson(), "none", Bootstrap(20), aligned, values=None, runtime=Runtime(), is_weighted=False)
    metric, human = aligned.cells.metric[:, 0], aligned.cells.human[:, 0]
    expected = [np.corrcoef(metric[rows], human[rows])[0, 1] for rows in drawn(20, 6)]
    assert found == pytest.approx(expected, nan_ok=True)


def test_a_system_and_its_copy_are_not_a_tied_pair():
    """Without real ties, accuracy with ties is the share of concordant pairs of different systems."""
    aligned = align(*tables("system"))
    found = replicates(Acc23(), "none", Bootstrap(15), aligned, values=None, runtime=Runtime(), is_weighted=False)
    metric, human = aligned.cells.metric[:, 0], aligned.cells.human[:, 0]
    for value, rows in zip(found, drawn(15, 6), strict=True):
        pairs = [(i, j) for k, i in enumerate(rows) for j in rows[k + 1 :] if i != j]
        right = [(metric[i] > metric[j]) == (human[i] > human[j]) for i, j in pairs]
        assert value == pytest.approx(np.mean(right))


def test_the_values_of_whole_groups_are_resampled_where_possible():
    aligned = align(*tables())
    values = Kendall().compute(aligned.batch("item"))
    found = replicates(Kendall(), "item", Bootstrap(20), aligned, values, Runtime(), is_weighted=False)
    expected = [values.values[rows].mean() for rows in drawn(20, 7)]
    assert found == pytest.approx(expected)


def test_statistics_that_calibrate_are_calibrated_in_each_resample():
    aligned = align(*tables())
    values = AccStar().compute(aligned.batch("item"))
    found = replicates(AccStar(), "item", Bootstrap(5), aligned, values, Runtime(), is_weighted=False)
    expected = [AccStar().compute(aligned.resample(rows).batch("item")).mean() for rows in drawn(5, 7)]
    assert found == pytest.approx(expected)


def both_ways(statistic, grouping, aligned, is_weighted, monkeypatch):
    """Replicates with sorted pairs, and by computing every resample on its own."""
    values = statistic.compute(aligned.batch(grouping))
    for limit in (tie_calibration._MAX_SORTED_PAIRS, -1):
        monkeypatch.setattr(tie_calibration, "_MAX_SORTED_PAIRS", limit)
        yield replicates(statistic, grouping, Bootstrap(30), aligned, values, Runtime(2), is_weighted=is_weighted)


@pytest.mark.parametrize("statistic", [AccStar(), TauStar()])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_calibrated_resamples_are_the_same_bit_by_bit(statistic, is_weighted, monkeypatch):
    metric, human = tables(segments=60)
    scores = np.where(np.random.default_rng(4).random(metric.values.shape) < 0.4, np.nan, metric.values.round(1))
    scores[:, 7], scores[1:, 8] = np.nan, np.nan  # a segment without scores and one without pairs
    aligned = align(replace(metric, values=scores), replace(human, values=human.values.round(0)))
    pairs = ~np.eye(6, dtype=bool)
    pairs[0, 3] = pairs[3, 0] = False
    for selected in (aligned, aligned.restrict(SYSTEMS, pairs)):
        fast, slow = both_ways(statistic, "item", selected, is_weighted, monkeypatch)
        assert len(set(fast.tolist())) > 20
        np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_calibrated_resamples_of_rankings_are_the_same_bit_by_bit(is_weighted, monkeypatch):
    random = np.random.default_rng(5)
    ranks = np.where(random.random((40, 6)) < 0.3, UNRANKED, random.integers(1, 4, size=(40, 6)))
    judgements = Rankings("rr", SYSTEMS, ("j",), np.zeros(40), random.integers(0, 15, 40), ranks)
    aligned = align_rankings(tables(segments=15)[0], judgements)
    fast, slow = both_ways(AccStar(), "ranking", aligned, is_weighted, monkeypatch)
    assert len(set(fast.tolist())) > 20
    np.testing.assert_array_equal(fast, slow)


def test_human_scores_from_resampled_judgements_are_used_as_they_are():
    aligned = align(*tables("system"))
    human = np.random.default_rng(1).normal(size=(4, 6))
    resampled = type(aligned)(**{f: getattr(aligned, f) for f in aligned.__slots__} | {"human_replicates": human})
    found = replicates(Pearson(), "none", Bootstrap(4), resampled, values=None, runtime=Runtime(), is_weighted=False)
    assert found == pytest.approx([np.corrcoef(aligned.cells.metric[:, 0], row)[0, 1] for row in human])


def test_subsets():
    aligned = align(*tables("system"))
    masks = np.array([[True] * 6, [True] * 4 + [False] * 2])
    for statistic in (Pearson(), AccStar()):
        found = values_of_subsets(statistic, aligned, masks).values
        part = aligned.without(SYSTEMS[4:], "left out")
        expected = [statistic.compute(each.batch("none")).values[0] for each in (aligned, part)]
        assert found == pytest.approx(expected)
