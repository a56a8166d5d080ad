from __future__ import annotations

import dataclasses
import math

import pytest

from assay.calibration.explanation import Question, answer, described, share
from assay.calibration.files import bundled
from assay.errors import ConfigError
from assay.results import Calibration, Estimate, Population


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


def test_a_population_in_words():
    population = Population("MQM", "English", "news", ("wmt21", "wmt22"), 1, 1200, 300.0, 1000.0)
    assert described(population) == (
        "1,200 pairs of systems, 1 language pair of wmt21, wmt22, MQM, into English, news; "
        "median of 1,000 judged segments per system"
    )


def test_questions_are_checked():
    assert Question("bleu", "corpus", 1.2, "en-de").label == "bleu 1.2 (corpus, en-de)"
    assert Question("bleu", "corpus", 1.2, "en-de").groups == ("I", "all")
    assert Question("bleu", "corpus", 1.2, "en-fi").groups == ("all",)
    with pytest.raises(ConfigError, match="not a language pair"):
        Question("bleu", "corpus", 1.2, "en-")
    with pytest.raises(ConfigError, match="no metric was given"):
        Question(" ", "corpus", 1.2)


def test_a_curve_that_predicts_nothing_says_so():
    curve = bundled().find("bleu", "corpus", protocol="MQM")
    validation = dataclasses.replace(curve.validation, brier={"isotonic": 0.3, "logistic": 0.2, "constant": 0.25})
    poor = Calibration(bundled().settings, (dataclasses.replace(curve, validation=validation),))
    question = Question("bleu", "corpus", 2.0, protocol="MQM")
    assert answer(question, poor, "mine").sentences[-1].startswith("The difference says little here: the share of all ")
    assert answer(question, bundled(), "wmt").sentences[-1].startswith("Seen in ")
