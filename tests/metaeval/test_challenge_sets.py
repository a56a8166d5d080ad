from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.metaeval.challenge_sets import (
    ACES_WEIGHTS,
    PairCounts,
    aces_category,
    count_pairs,
    counted,
    is_challenge_set,
    with_aces_score,
)
from assay.types import Campaign, ScoreTable

TABLE = ScoreTable("m", "segment", ("good", "incorrect"), np.array([[3, 1, 2.0], [1, 1, 5]]))
ONE_OF_EACH = {
    "addition": "addition",
    "omission": "omission",
    "nonsense": "mistranslation",
    "copy-source": "untranslated",
    "do-not-translate": "do not translate",
    "hyponym-replacement": "overtranslation",
    "hypernym-replacement": "undertranslation",
    "commonsense-only": "real-world knowledge",
    "similar-language-high": "wrong language",
    "punctuation:deletion_all": "punctuation",
}


def test_right_tied_and_wrong_pairs() -> None:
    assert count_pairs(TABLE, ["a", "a", "b"]) == {"a": PairCounts(1, 1, 2), "b": PairCounts(0, 0, 1)}
    lower = replace(TABLE, higher_is_better=False)
    assert count_pairs(lower, ["a", "a", "b"]) == {"a": PairCounts(0, 1, 2), "b": PairCounts(1, 0, 1)}


def test_a_tie_is_as_wrong_as_the_other_order() -> None:
    row = counted("m", "a", [PairCounts(1, 1, 2), PairCounts(2, 0, 2)], 0.95)
    assert (row.accuracy.value, row.ties, row.tau) == (0.75, 0.25, 0.5)
    assert row.accuracy.low == pytest.approx(0.1941, abs=1e-4)  # Clopper and Pearson, 3 of 4
    assert row.accuracy.high == pytest.approx(0.9937, abs=1e-4)


def test_one_phenomenon_of_each_category_is_enough_for_the_aces_score() -> None:
    assert {name: aces_category(name) for name in ONE_OF_EACH} == ONE_OF_EACH
    counts = {name: PairCounts(10, 0, 10) for name in ONE_OF_EACH}
    row = counted("m", "", list(counts.values()), 0.95)
    score = with_aces_score(row, counts, 0.95).aces_score
    assert score is not None
    assert score.value == pytest.approx(sum(ACES_WEIGHTS.values()))
    missing = {name: each for name, each in counts.items() if name != "addition"}
    assert with_aces_score(row, missing, 0.95).aces_score is None


def test_a_category_has_the_mean_of_its_phenomena() -> None:
    counts = {name: PairCounts(10, 0, 10) for name in ONE_OF_EACH} | {"xnli-omission": PairCounts(0, 0, 10)}
    score = with_aces_score(counted("m", "", list(counts.values()), 0.95), counts, 0.95).aces_score
    assert score is not None
    assert score.value == pytest.approx(sum(ACES_WEIGHTS.values()) - ACES_WEIGHTS["mistranslation"])


def test_what_is_a_challenge_set() -> None:
    assert is_challenge_set(Campaign("aces", "en-de", 3, TABLE.systems, (), None))
    assert not is_challenge_set(Campaign("wmt22", "en-de", 3, ("A", "B"), (), None))
