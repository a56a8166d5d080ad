from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from assay.aggregate.resample import Bootstrap
from assay.errors import ConfigError
from assay.study.agree import agree
from assay.types import Rankings, ScoreTable
from assay.types.runtime import Runtime
from tests.metaeval.intervals.enumeration import SYSTEMS, all_resamples, check_enumerated, rankings, tables


def test_judgements_by_enumeration_of_all_resamples():
    ranks = np.array([[1, 2, 3, 4], [2, 1, 4, 3], [4, 1, 2, 3], [1, 3, 2, 4]])
    judged = Rankings("rr", SYSTEMS, ("j",), np.zeros(4), np.arange(4), ranks)
    metric = ScoreTable("m", "system", SYSTEMS, np.array([[3.0], [4.0], [1.0], [2.5]]))
    found = agree(metric, judged, "pearson", level="system", resamples=20_000, outliers="keep")
    counts, probabilities = all_resamples(4)
    values = []
    for row in counts:
        rows = np.repeat(np.arange(4), row)
        drawn = replace(judged, ranks=ranks[rows])
        values.append(agree(metric, drawn, "pearson", level="system", resamples=0, outliers="keep").value)
    check_enumerated(found, values, probabilities)


@pytest.mark.warns("intervals are too narrow")
def test_the_unit_of_judgements():
    """Rankings of one segment depend on each other, and so do the pairs of a ranking: larger units, wider intervals."""
    random = np.random.default_rng(4)
    segment = np.repeat(np.arange(30), 5)
    quality = random.normal(size=(30, 4)).repeat(5, axis=0)
    ranks = np.argsort(np.argsort(-(quality + 0.3 * random.normal(size=quality.shape)), axis=1), axis=1) + 1
    judged = Rankings("rr", SYSTEMS, ("j",), np.zeros(150), segment, ranks)
    metric = ScoreTable("m", "segment", SYSTEMS, random.normal(size=(4, 30)) + quality[::5].T)
    for level, spec, counts in (("segment", "kendall-wmt13", (900, 150, 30)), ("system", "pearson", (900, 150, 30))):
        found = [
            agree(metric, judged, spec, level=level, ci=f"judgements:unit={unit}", resamples=400, outliers="keep")
            for unit in ("pair", "ranking", "segment")
        ]
        assert tuple(each.estimate.basis.n for each in found) == counts
        errors = [each.estimate.standard_error for each in found]
        assert errors[0] < errors[2]
        assert errors[1] < errors[2]
        assert found[2].settings["ci"] == "judgements:unit=segment"
    whole = agree(metric, judged, "kendall-wmt13", ci="segments", resamples=400, outliers="keep")
    found = agree(metric, judged, "kendall-wmt13", ci="judgements:unit=segment", resamples=400, outliers="keep")
    np.testing.assert_array_equal(found.replicates, whole.replicates)


@pytest.mark.warns("intervals are too narrow")
def test_pairs_of_rankings_by_brute_force():
    judged, (metric, _) = rankings(12), tables(segments=12)
    found = agree(metric, judged, "kendall-wmt13", ci="judgements:unit=pair", resamples=8, outliers="keep")
    signs = []
    for row, segment in zip(judged.ranks, judged.segment, strict=True):
        for i, j in itertools.combinations(range(4), 2):
            agrees = (metric.values[i, segment] > metric.values[j, segment]) == (row[i] < row[j])
            signs.append(1 if agrees else -1)
    (weights,) = Bootstrap(8).blocks(len(signs), Runtime())
    assert found.replicates == pytest.approx(weights @ np.array(signs) / len(signs))


@pytest.mark.warns("intervals are too narrow")
def test_why_judgements_cannot_be_drawn():
    judged, (metric, human) = rankings(), tables(segments=12)
    for level in ("system", "segment"):
        with pytest.raises(ConfigError, match="the human scores are not rankings"):
            agree(metric, human, level=level, ci="judgements")
    for ci in ("systems", "both"):
        assert agree(metric, judged, "kendall", ci=ci).reason == "no interval: systems cannot be drawn from rankings"
    found = agree(metric, judged, "acc-star", ci="judgements:unit=ranking")
    assert found.reason == "no interval: acc-star is fitted to whole segments"
    found = agree(metric, judged, "pearson", average="macro", ci="judgements:unit=pair")
    assert found.reason == "no interval: the average of pearson over rankings is not one over pairs"
