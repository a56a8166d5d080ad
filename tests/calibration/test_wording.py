from __future__ import annotations

import dataclasses
import math

import pytest

from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled, published
from assay.calibration.wording import sentences, share
from assay.results import Estimate


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.324, 9), "32 %"),
        (Estimate(0.324, 9, 0.25, 0.404), "32 % [25, 40]"),
        (Estimate(math.nan, 0, 0.5, 0.8), "at least 50 % and less than 80 %"),
        (Estimate(math.nan, 0, 0.0, 0.5), "less than 50 %"),
        (Estimate(math.nan, 0, 0.95, 1.0), "at least 95 %"),
    ],
)
def test_shares(estimate, text):
    assert share(estimate) == text


def test_what_an_answer_rests_on_in_words():
    said, seen = sentences(answer(Question("bleu", "corpus", 1.2, "de-fr"), bundled(), "wmt"))
    assert said == (
        "bleu 1.2 (corpus, de-fr): people significantly prefer the better-scored system in 76 % of such pairs of "
        "systems, and prefer it at all in 81 %."
    )
    assert seen == (
        "Seen in 29 pairs of systems that differ by 1.2 to 2.03, of 281 pairs of systems in 4 language pairs of wmt20 "
        "(en-cs, en-de, en-pl, en-ru), DA/SQM, target languages I (I: bn cs de fr ha hr is kk lt pl ru uk); people "
        "judged a median of 792 segments per system; significant: p < 0.05 in a one-sided test (paired-t) (no "
        "interval: 4 language pairs, fewer than 5)."
    )


def test_both_probabilities_have_their_interval():
    said = next(sentences(answer(Question("bleu", "corpus", 0.01), bundled(), "wmt")))
    assert said.endswith("in 16 % [0, 22] of such pairs of systems, and prefer it at all in 36 % [0, 45].")


def test_pairs_that_all_agree_are_not_certain():
    """51 of 51 pairs: the exact lower bound is .025 ** (1 / 51)."""
    said, seen, few, unanimous = sentences(answer(Question("bleu", "corpus", 25.0), bundled(), "wmt"))
    assert "in 100 % [93, 100] of such pairs" in said
    assert seen.startswith("Seen in 51 pairs of systems that differ by 17.8 to 43.6, of 2,315 pairs of systems")
    assert few == "Fewer than 20 pairs of systems differed by this much or more."
    assert unanimous.startswith("Pairs that all agree show no spread: the interval is the exact binomial one ")


def test_a_calibration_without_its_test_does_not_name_it():
    explanation = answer(Question("bleu", "corpus", 2.0), bundled(), "wmt")
    settings = {name: value for name, value in explanation.settings.items() if name != "test"}
    assert "one-sided" in [*sentences(explanation)][1]
    assert "one-sided" not in [*sentences(dataclasses.replace(explanation, settings=settings))][1]


def test_weak_predictions_in_words():
    *_, caution = sentences(answer(Question("bleu", "corpus", 3.0, protocol="MQM"), bundled(), "wmt"))
    assert caution.startswith("The difference says little about whether people prefer the system at all: the share of ")


def test_published_cut_offs_in_words():
    said, seen = sentences(answer(Question("bleu", "corpus", 1.2, "en-de"), published(), "lo2023"))
    assert "people significantly prefer either system in less than 80 % of such pairs" in said
    assert seen.startswith("Published cut-offs: 80 % from 3.6 on (wmt19, wmt20, wmt21, wmt22, DA/SQM, ")
