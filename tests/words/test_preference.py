"""What is said of probabilities that people prefer an output."""

from __future__ import annotations

from dataclasses import replace

import assay
from assay.results.preference import PreferenceBin, Preferences
from assay.words.preference import preferences_verdict


def preferences(lp: str | None = "en-de") -> Preferences:
    """By the fit that comes with Assay."""
    outputs = {"a": ["the cat sat on the mat"], "b": ["the cat sat on a mat"]}
    return assay.prefer(assay.load(references=["the cat sat on the mat"], outputs=outputs, lp=lp), at_least=0.6)


def sentences(*bins: PreferenceBin) -> str:
    found = preferences()
    evaluation = replace(found.evaluations[0], bins=bins)
    return " ".join(preferences_verdict(replace(found, evaluations=(evaluation,))).sentences)


def test_probabilities_that_came_true_less_often_are_named() -> None:
    said = sentences(
        PreferenceBin(0.71, 0.59, 0.2, 300), PreferenceBin(0.55, 0.56, 0.3, 900), PreferenceBin(0.66, 0.6, 0.3, 100)
    )
    assert "Probabilities of about 66 % and more came true in 59.2 %: take them as no surer than that." in said


def test_probabilities_that_came_true_are_not() -> None:
    fine = PreferenceBin(0.7, 0.66, 0.2, 300)
    assert "no surer" not in sentences(PreferenceBin(0.55, 0.4, 0.5, 900), fine)
    assert "no surer" not in sentences(fine, PreferenceBin(0.8, 0.5, 0.4, 99))  # too few


def test_languages_without_judgements_are_named_first() -> None:
    headline, *_ = preferences_verdict(preferences("sw-zu")).sentences
    assert "people probably prefer, without judgements of sw-zu: that of a in 1, that of b in 0." in headline
    said = " ".join(preferences_verdict(preferences("sw-zu")).sentences)
    assert "How often such answers are right in sw-zu is not known: the judgements are of other languages." in said
    for lp in ("en-is", "eng-isl", "en-is_IS"):
        assert "without judgements" not in preferences_verdict(preferences(lp)).text
    assert "The language pair is not known: " in preferences_verdict(preferences(None)).lede[0]


def test_the_part_with_most_answers_is_named() -> None:
    said = " ".join(preferences_verdict(preferences()).sentences)
    assert (
        "These are shares of all answers, 68 % of which are in wmt24: 54.5 % were right in wmt21.tedtalks, 75.5 % in "
        "wmt25, and fewer than 60 % in 2 of 5."
    ) in said
