from __future__ import annotations

import math

import numpy as np
import pytest

from assay.types import Campaign, ScoreTable
from scripts.studies import sampling
from scripts.studies.judged_pairs import (
    Pair,
    agrees,
    difference_with_interval,
    is_better,
    is_worse,
    share,
    share_with_interval,
    threshold_with_interval,
)
from scripts.studies.page import table


def pair(difference, preferred, *, lp="en-de", better="ONLINE-B", worse="GPT-4"):
    return Pair("wmt24", lp, "ESA", "bleu", "corpus", better, worse, difference, preferred >= 0, preferred)


PAIRS = [pair(1.0, -1), pair(2.0, 0), pair(3.0, 1), pair(4.0, 1), pair(5.0, 1)]


def test_shares_of_outcomes():
    assert [share(PAIRS, outcome) for outcome in (agrees, is_better, is_worse)] == [0.8, 0.6, 0.2]
    assert math.isnan(share([], agrees))
    assert (PAIRS[0].year, PAIRS[0].kinds) == (2024, "MT-over-LLM")


def test_thresholds_are_those_of_an_isotonic_fit():
    assert threshold_with_interval(PAIRS, 0.8, is_better)[0] == 3.0
    assert threshold_with_interval(PAIRS, 0.8, agrees)[0] == 2.0
    assert math.isnan(threshold_with_interval(PAIRS[:2], 0.8, is_better)[0])


def test_intervals_need_five_language_pairs():
    assert math.isnan(share_with_interval(PAIRS, agrees)[1])
    several = [pair(1.0, preferred, lp=f"en-{k}") for k, preferred in enumerate((1, 1, 1, 1, 1, -1))]
    value, low, high = share_with_interval(several, is_better)
    assert (value, high) == (pytest.approx(5 / 6), 1.0)
    assert 0.3 < low < value
    always = [pair(1.0, 1, lp=each.lp) for each in several]
    assert difference_with_interval(always, several, is_better) == (
        pytest.approx(1 / 6),
        0.0,
        pytest.approx(1 - low),
    )


def test_clusters_and_preferences_of_a_sample():
    noise = np.tile([0.0, 1.0, 2.0, 3.0], 10)
    values = np.stack([noise + 5, noise[::-1] + 5, noise])
    assert sampling._is_better(values).tolist() == [[False, False, True], [False, False, True], [False] * 3]
    assert sampling._clusters(values) == 2
    (sampled,) = (each for each in sampling._sampled("wmt24", "en-de", values) if each.size == 25)
    assert (sampled.kept, sampled.reversed, sampled.clusters) == (1.0, 0.0, 2.0)


def test_only_segments_that_are_judged_for_all_systems_count():
    scores = ScoreTable(
        "esa", "segment", ("a", "b", "refA"), [[1.0, math.nan, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], protocol="ESA"
    )
    campaign = Campaign("wmt24", "en-de", 3, ("a", "b", "refA"), ("refA",), None, (scores,))
    assert sampling._cells(campaign).tolist() == [[1.0, 3.0], [4.0, 6.0]]


def test_tables():
    assert table(("a", "b"), [("x", "1")]).splitlines() == ["| a | b |", "| --- | --: |", "| x | 1 |"]
