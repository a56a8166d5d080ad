from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.results import Power
from assay.words.pairs import corrected_for, detectable_words, how_tested, pair_sentence, shown_pairs
from tests.reports.page.comparisons import compared, comparison


def two_pairs(metric="bleu"):
    found = compared(metric, 1.2, 0.0001)
    other = replace(found.pairs[0], first="third")
    return replace(found, pairs=(*found.pairs, other), scores={**found.scores, "third": found.scores["new"]})


def test_what_p_values_are_corrected_for():
    assert corrected_for(comparison(compared("bleu", 1.0))) == "not corrected"
    assert corrected_for(comparison(compared("bleu", 1.0), compared("chrf", 1.0))) == "not corrected for 2 scores"
    assert corrected_for(comparison(two_pairs())) == "after Holm correction for 2 pairs"
    two_scores = comparison(two_pairs(), two_pairs("chrf"))
    assert corrected_for(two_scores) == "after Holm correction for 2 pairs under each score"
    assert corrected_for(comparison(two_pairs(), correction="none")) == "not corrected for 2 pairs"


def test_how_pairs_were_tested():
    assert how_tested(comparison(compared("bleu", 1.0))) == (
        "Test: approximate randomisation, 100 segments; p-values not corrected; a difference is shown where p < 0.05."
    )


def test_intervals_of_several_pairs_are_not_corrected():
    assert "Intervals are not corrected" in how_tested(comparison(two_pairs()))
    assert "Intervals" not in how_tested(comparison(two_pairs(), correction="none"))


def test_how_many_pairs_differ():
    assert shown_pairs(comparison(compared("bleu", 1.0), compared("chrf", 0.1, 0.6))) == (
        "A difference is shown by 1 of 2 scores."
    )
    assert shown_pairs(comparison(two_pairs())) == "Pairs for which a difference is shown, of 2: BLEU 2."


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (compared("bleu", 1.2, 0.4), "No difference is shown, which does not mean that they are equal."),
        (compared("bleu", 0.0, 1.0), "Both have the same score in every segment."),
        (compared("bleu", math.nan, math.nan), "Undefined: no segment was scored."),
        (compared("ter", 1.2, higher_is_better=False), "base is shown to be better."),
    ],
)
def test_what_a_score_shows_of_a_pair(metric, sentence):
    assert pair_sentence(metric, metric.pair("new", "base")) == sentence


@pytest.mark.parametrize(("detectable", "count"), [(math.nan, 0), (0.8, 1)])
def test_what_detectable_means_is_said_where_it_is_known(detectable, count):
    metric = compared("bleu", 1.2)
    pair = replace(metric.pairs[0], power=Power(detectable))
    assert len(list(detectable_words(comparison(replace(metric, pairs=(pair,)))))) == count
