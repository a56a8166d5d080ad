from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.aggregate.resample import SEED, Bootstrap
from assay.agreement import Batch, Values, tie_calibration
from assay.agreement.acc23 import Acc23
from assay.agreement.acc_star import AccStar
from assay.agreement.kendall import Kendall
from assay.agreement.pearson import Pearson
from assay.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from assay.agreement.tau_star import TauStar
from assay.metaeval.alignment import align
from assay.metaeval.ranking_alignment import align_rankings
from assay.metaeval.replicates import (
    Observed,
    Units,
    over_both,
    over_judgements,
    over_systems,
    over_units,
    values_of_subsets,
)
from assay.types import UNRANKED, Rankings, ScoreTable
from assay.types.runtime import Runtime

SYSTEMS = tuple("abcdef")


def tables(level="segment", segments=7, seed=2):
    values = np.random.default_rng(seed).normal(size=(2, 6, segments if level == "segment" else 1))
    return ScoreTable("m", level, SYSTEMS, values[0]), ScoreTable("h", level, SYSTEMS, values[1], protocol="DA-z")


def observed(statistic, grouping, aligned, *, is_weighted=False):
    batch = aligned.batch(grouping)
    return Observed(statistic, aligned.level, grouping, is_weighted, aligned, batch, statistic.compute(batch))


def segments(aligned):
    count = len(aligned.resampled_items)
    return Units(count, np.arange(count), aligned.item_of_group)


def drawn(count, items):
    (weights,) = Bootstrap(count).blocks(items, Runtime())
    return [np.repeat(np.arange(items), row) for row in weights]


def test_systems_are_resampled_at_the_system_level():
    aligned = align(*tables("system"))
    found = over_systems(observed(Pearson(), "none", aligned), Bootstrap(20), Runtime())
    metric, human = aligned.cells.metric[:, 0], aligned.cells.human[:, 0]
    expected = [np.corrcoef(metric[rows], human[rows])[0, 1] for rows in drawn(20, 6)]
    assert found == pytest.approx(expected, nan_ok=True)


def test_a_system_and_its_copy_are_not_a_tied_pair():
    """Without real ties, accuracy with ties is the share of concordant pairs of different systems."""
    aligned = align(*tables("system"))
    found = over_systems(observed(Acc23(), "none", aligned), Bootstrap(15), Runtime())
    metric, human = aligned.cells.metric[:, 0], aligned.cells.human[:, 0]
    for value, rows in zip(found, drawn(15, 6), strict=True):
        pairs = [(i, j) for k, i in enumerate(rows) for j in rows[k + 1 :] if i != j]
        right = [(metric[i] > metric[j]) == (human[i] > human[j]) for i, j in pairs]
        assert value == pytest.approx(np.mean(right))


def test_the_values_of_whole_groups_are_resampled_where_possible():
    aligned = align(*tables())
    kendall = observed(Kendall(), "item", aligned)
    found = over_units(kendall, segments(aligned), Bootstrap(20), Runtime())
    expected = [kendall.values.values[rows].mean() for rows in drawn(20, 7)]
    assert found == pytest.approx(expected)


def test_statistics_that_calibrate_are_calibrated_in_each_resample():
    aligned = align(*tables())
    found = over_units(observed(AccStar(), "item", aligned), segments(aligned), Bootstrap(5), Runtime())
    expected = [AccStar().compute(aligned.resample(rows).batch("item")).mean() for rows in drawn(5, 7)]
    assert found == pytest.approx(expected)


def both_ways(statistic, grouping, aligned, is_weighted, monkeypatch):
    """Replicates with sorted pairs, and by computing every resample on its own."""
    value = observed(statistic, grouping, aligned, is_weighted=is_weighted)
    for limit in (tie_calibration._MAX_SORTED_PAIRS, -1):
        monkeypatch.setattr(tie_calibration, "_MAX_SORTED_PAIRS", limit)
        yield over_units(value, segments(aligned), Bootstrap(30), Runtime(2))


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
    found = over_judgements(observed(Pearson(), "none", aligned), human)
    assert found == pytest.approx([np.corrcoef(aligned.cells.metric[:, 0], row)[0, 1] for row in human])


def test_subsets():
    aligned = align(*tables("system"))
    masks = np.array([[True] * 6, [True] * 4 + [False] * 2])
    for statistic in (Pearson(), AccStar()):
        found = values_of_subsets(statistic, aligned, masks).values
        part = aligned.without(SYSTEMS[4:], "left out")
        expected = [statistic.compute(each.batch("none")).values[0] for each in (aligned, part)]
        assert found == pytest.approx(expected)


# --- by brute force: every resample is computed on copies of the drawn cells ---


def with_gaps():
    metric, human = tables(segments=6)
    random = np.random.default_rng(8)
    scores = np.where(random.random(metric.values.shape) < 0.2, np.nan, metric.values.round(0))
    return align(replace(metric, values=scores), replace(human, values=human.values.round(0)))


def brute(statistic, grouping, aligned, systems, items, *, is_weighted):
    """The value over drawn systems and segments, with pairs of a cell and its own copy left out one by one."""
    cells = aligned.cells
    numbers = np.arange(cells.mask.size).reshape(cells.mask.shape)[np.ix_(systems, items)]
    metric, human, mask = (array[np.ix_(systems, items)] for array in (cells.metric, cells.human, cells.mask))
    groups = {"none": lambda a: a.reshape(1, -1), "item": np.transpose, "system": lambda a: a}[grouping]
    values, weights = [], []
    for x, y, m, ids in zip(*map(groups, (metric, human, mask, numbers)), strict=True):
        if not m.any():
            continue
        x, y, ids = x[m], y[m], ids[m]
        copies = sum(int(n) * (int(n) - 1) // 2 for n in np.unique(ids, return_counts=True)[1])
        batch = Batch(x[None], y[None], np.ones((1, len(x)), bool), self_pairs=np.array([copies]))
        found = statistic.compute(batch)
        values.append(found.values[0])
        weights.append(found.weights[0])
    return Values(np.array(values), np.array(weights), "").mean(is_weighted=is_weighted)


def counts(items, seed=SEED, resamples=12):
    return [np.repeat(np.arange(items), row) for row in next(Bootstrap(resamples, None, seed).blocks(items, Runtime()))]


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("statistic", [Acc23(), Kendall(), Pearson()])
def test_systems_segments_documents_and_both_by_brute_force(statistic, grouping, is_weighted):
    aligned = with_gaps()
    value = observed(statistic, grouping, aligned, is_weighted=is_weighted)
    all_systems, all_items = np.arange(6), np.arange(6)
    of_document = np.array([0, 1, 0, 2, 1, 2])
    documents = Units(3, of_document, of_document)
    expected = {
        "systems": [(rows, all_items) for rows in counts(6)],
        "segments": [(all_systems, columns) for columns in counts(6)],
        "documents": [
            (all_systems, np.concatenate([np.flatnonzero(of_document == d) for d in drawn])) for drawn in counts(3)
        ],
        "both": list(zip(counts(6, SEED + 1), counts(6), strict=True)),
    }
    bootstrap, runtime = Bootstrap(12), Runtime()
    found = {
        "systems": over_systems(value, bootstrap, runtime),
        "segments": over_units(value, segments(aligned), bootstrap, runtime),
        "documents": over_units(value, documents, bootstrap, runtime),
        "both": over_both(value, segments(aligned), bootstrap, runtime),
    }
    for name, resamples in expected.items():
        by_hand = [brute(statistic, grouping, aligned, *drawn, is_weighted=is_weighted) for drawn in resamples]
        assert found[name] == pytest.approx(by_hand, nan_ok=True), name


@pytest.mark.parametrize("statistic", [Acc23(), Pearson()])
def test_means_of_resampled_segments_by_brute_force(statistic):
    metric, human = tables(segments=6)
    human = replace(human, values=np.where(np.random.default_rng(8).random((6, 6)) < 0.2, np.nan, human.values))
    aligned = align(metric, human, level="system")
    value = observed(statistic, "none", aligned)
    units = Units(6, np.arange(6), np.arange(0))

    def mean(table, rows, columns):
        return np.nanmean(np.where(np.isnan(human.values), np.nan, table.values)[np.ix_(rows, columns)], axis=1)

    def by_hand(rows, columns):
        x, y = mean(metric, rows, columns)[None], mean(human, rows, columns)[None]
        copies = sum(n * (n - 1) // 2 for n in np.unique(rows, return_counts=True)[1])
        return statistic.compute(Batch(x, y, ~np.isnan(y), self_pairs=np.array([copies]))).values[0]

    found = over_units(value, units, Bootstrap(12), Runtime())
    assert found == pytest.approx([by_hand(np.arange(6), columns) for columns in counts(6)], nan_ok=True)
    found = over_both(value, units, Bootstrap(12), Runtime())
    drawn = zip(counts(6, SEED + 1), counts(6), strict=True)
    assert found == pytest.approx([by_hand(*each) for each in drawn], nan_ok=True)


def test_pairs_of_drawn_systems_by_brute_force():
    aligned = align(*tables(segments=6))
    value = observed(SoftPairwiseAccuracy(resamples=50), "item", aligned)
    found = over_systems(value, Bootstrap(12), Runtime())
    for drawn, replicate in zip(counts(6), found, strict=True):
        terms = [value.values.by_pair[i, j] for k, i in enumerate(drawn) for j in drawn[k + 1 :] if i != j]
        assert replicate == pytest.approx(np.mean(terms))


def test_work_is_limited_only_where_resamples_are_computed_anew():
    aligned = align(*tables())
    assert over_units(observed(Kendall(), "none", aligned), segments(aligned), Bootstrap(5), Runtime(), 10) is None
    for statistic, grouping in ((Kendall(), "item"), (Pearson(), "none"), (AccStar(), "item")):
        value = observed(statistic, grouping, aligned)
        assert over_units(value, segments(aligned), Bootstrap(5), Runtime(), 10) is not None


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("statistic", [Kendall(), Pearson(), AccStar()])
def test_any_number_of_threads_gives_the_same_bits(statistic, grouping):
    aligned = align(*tables(segments=300))
    value = observed(statistic, grouping, aligned)
    ways = (
        lambda runtime: over_systems(value, Bootstrap(5), runtime),
        lambda runtime: over_units(value, segments(aligned), Bootstrap(5), runtime),
        lambda runtime: over_both(value, segments(aligned), Bootstrap(5), runtime),
    )
    for way in ways:
        np.testing.assert_array_equal(way(Runtime(threads=1)), way(Runtime(threads=3)))
