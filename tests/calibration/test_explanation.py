from __future__ import annotations

import dataclasses

import pytest

from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled, published
from assay.errors import ConfigError
from assay.results import Calibration, Caution

POOR = {"isotonic": 0.3, "logistic": 0.2, "constant": 0.25}


def test_questions_are_checked():
    assert Question("bleu", "corpus", 1.2, "en-de").groups == ("I", "all")
    assert Question("bleu", "corpus", 1.2, "en-fi").groups == ("all",)
    with pytest.raises(ConfigError, match="not a language pair"):
        Question("bleu", "corpus", 1.2, "en-")
    with pytest.raises(ConfigError, match="no metric was given"):
        Question(" ", "corpus", 1.2)


@pytest.mark.parametrize(("outcome", "caution"), [("significant", Caution.WEAK), ("agrees", Caution.WEAK_AGREES)])
def test_a_curve_that_predicts_nothing_is_a_caution(outcome, caution):
    """The two probabilities of an answer are of two curves, and both are checked."""
    question = Question("bleu", "corpus", 2.0)
    assert answer(question, bundled(), "wmt").cautions == ()
    curves = [
        dataclasses.replace(curve, validation=dataclasses.replace(curve.validation, brier=POOR))
        if curve.outcome == outcome
        else curve
        for curve in (
            bundled().curve("bleu", agg="corpus", outcome=name, protocol="DA/SQM") for name in ("significant", "agrees")
        )
    ]
    assert answer(question, Calibration(bundled().settings, tuple(curves)), "mine").cautions == (caution,)


def test_mqm_says_little_about_preferences_at_all():
    """On held-out campaigns, the Brier score of this curve is .2587; that of the base rate is .2514."""
    assert answer(Question("bleu", "corpus", 3.0, protocol="MQM"), bundled(), "wmt").cautions == (Caution.WEAK_AGREES,)


def test_an_answer_rests_on_the_pairs_of_its_step():
    found = answer(Question("bleu", "corpus", 1.2), bundled(), "wmt")
    assert found.step.start <= 1.2 < found.step.end
    assert found.step.pairs < found.population.pairs
    (row,) = found.rows()
    assert (row["n"], row["pairs"]) == (found.step.pairs, found.population.pairs)
    assert row["agrees_low"] < row["agrees"] < row["agrees_high"]


def test_language_pairs_are_named_if_the_data_leave_no_doubt():
    found = answer(Question("bleu", "corpus", 1.2, "de-fr"), bundled(), "wmt")
    assert found.language_pairs == ("en-cs", "en-de", "en-pl", "en-ru")
    doubtful = Calibration({**bundled().settings, "data": "wmt20/en-de"}, bundled().curves)
    assert answer(Question("bleu", "corpus", 1.2, "de-fr"), doubtful, "mine").language_pairs == ()


@pytest.mark.parametrize("calibration", [bundled(), published()], ids=["wmt", "lo2023"])
def test_equal_scores_cannot_be_looked_up(calibration):
    found = answer(Question("bleu", "corpus", 0.0), calibration, "it")
    assert not found.is_answered
    assert "the scores are equal" in found.probability.reason


def test_below_the_first_cut_off_nothing_means_the_same():
    assert answer(Question("bleu", "corpus", 1.0), published(), "lo2023").equivalents == ()
