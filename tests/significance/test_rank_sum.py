from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.significance.rank_sum import RankSum
from tests import archives
from tests.human.judged import needs_archives, wmt
from tests.significance.vectors import compare, random_pairs


@pytest.mark.slow
def test_as_scipy():
    compared = 0
    for first, second in random_pairs(2500, is_paired=False):
        found = compare(RankSum(), first, second)
        assert found.n == len(first) + len(second)
        if not len(first) or not len(second):
            assert found.reason == "a system has no score"
        elif np.array_equal(first, second):
            assert found.p == 1
        elif np.unique(np.concatenate([first, second])).size == 1:
            assert math.isnan(found.p)
            assert found.reason == "all scores are equal"
        else:
            expected = stats.mannwhitneyu(first, second, alternative="greater", method="asymptotic").pvalue
            assert found.p == pytest.approx(expected, rel=1e-12)
            compared += 1
    assert compared > 2000


def test_by_hand():
    # Ranks of the first: 3, 5, 6; U = 14 - 6 = 8, its mean 4.5, its variance 3 * 3 * 7 / 12.
    z = (8 - 4.5 - 0.5) / math.sqrt(5.25)
    found = compare(RankSum(), np.array([3.0, 5.0, 6.0]), np.array([1.0, 2.0, 4.0]))
    assert found.p == pytest.approx(stats.norm.sf(z), rel=1e-14)


def test_order_does_not_matter():
    for first, second in random_pairs(100, is_paired=False, seed=2):
        if not np.array_equal(first, second):
            assert compare(RankSum(), first[::-1], second).p == pytest.approx(
                compare(RankSum(), first, second).p, nan_ok=True, rel=1e-14
            )


def test_many_equal_scores_are_equal_whatever_the_rounding():
    found = compare(RankSum(), np.full(300_001, 0.1), np.full(300_000, 0.1))
    assert math.isnan(found.p)
    assert found.reason == "all scores are equal"


@needs_archives
@pytest.mark.parametrize(
    ("name", "lp", "cells"),
    [("wmt22", "cs-en", 47), ("wmt22", "zh-en", 47), ("wmt20", "en-cs", 59), ("wmt21.news", "ha-en", 71)],
)
def test_published_tables(name, lp, cells):
    """The organisers' p-values; those from .05 on, and below the diagonal, are a filler: 0.12."""
    campaign = wmt(name, lp)
    table = next(t for t in campaign.scores if (t.name, t.level) == ("wmt-z", "segment"))
    header, *rows = archives.lines(archives.unpacked(name) / "human-significance" / f"{lp}.wmt-z.wilcoxon.txt")
    systems = header.split()
    scores = {name: row[~np.isnan(row)] for name, row in zip(table.systems, table.values, strict=True)}
    compared = 0
    for place, row in enumerate(rows):
        first, *published = row.split()
        for second, text in list(zip(systems, published, strict=True))[place + 1 :]:
            if first in scores and second in scores:
                found = compare(RankSum(), scores[first], scores[second])
                if text == "0.12":
                    assert found.p > 0.0495, (first, second)
                else:
                    assert found.p == pytest.approx(float(text), rel=0.015), (first, second)
                    compared += 1
    assert compared == cells
