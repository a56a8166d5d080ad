"""What is said of probabilities that people prefer an output."""

from __future__ import annotations

from dataclasses import replace

import assay
from assay.results.preference import PreferenceBin
from assay.words.preference import preferences_verdict


def sentences(*bins: PreferenceBin) -> str:
    outputs = {"a": ["the cat sat on the mat"], "b": ["a dog"]}
    texts = assay.load(references=["the cat sat on the mat"], outputs=outputs, lp="en-de")
    found = assay.prefer(texts, at_least=0.6)  # by the fit that comes with Assay
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
