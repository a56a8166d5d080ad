from __future__ import annotations

import dataclasses

import pytest

from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled, published
from assay.errors import ConfigError
from assay.results import Calibration, Caution

POOR = {"isotonic": 0.3, "logistic": 0.2, "constant": 0.25}


def test_questions_are_checked():
    assert Question("bleu", "corpus", 1.2, "en-de").group == Question("bleu", "corpus", 1.2, "eng-deu").group == "I"
    assert Question("bleu", "corpus", 1.2, "en-fi").group == "all"
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


def with_brier(group, **brier):
    """The bundled curves of corpus BLEU by DA/SQM, those of a group with other Brier scores."""
    curves = []
    for curve in bundled(["bleu"]):
        if curve.population.group == group and curve.validation is not None:
            validation = dataclasses.replace(curve.validation, brier={**curve.validation.brier, **brier})
            curve = dataclasses.replace(curve, validation=validation)
        curves.append(curve)
    return Calibration(bundled(["bleu"]).settings, tuple(curves))


def test_a_group_answers_only_if_held_out_campaigns_show_that_it_predicts_better():
    question = Question("bleu", "corpus", 1.2, "de-en")
    better = answer(question, with_brier("English", isotonic=0.18, pooled=0.19), "mine")
    assert (better.population.group, better.cautions) == ("English", ())
    assert set(better.language_pairs) == {lp for lp in better.language_pairs if lp.endswith("-en")}
    worse = answer(question, with_brier("English", isotonic=0.19, pooled=0.18), "mine")
    assert (worse.population.group, worse.cautions) == ("all", (Caution.POOLED,))
    assert worse.grouped.value < worse.probability.value  # 30 % into English, 37 % in all


def test_groups_of_a_single_campaign_do_not_answer():
    """Only WMT20 was judged into German and Chinese: no other campaign shows that its curves hold."""
    for lp in ("en-de", "en-zh", "en-iu"):
        found = answer(Question("bleu", "corpus", 1.2, lp), bundled(), "wmt")
        assert (found.population.group, found.population.language_pairs) == ("all", 33)
        assert found.language_pairs.count("cs-en") == 3  # in three campaigns


@pytest.mark.parametrize("metric", ["ter", "wer", "hlepor"])
@pytest.mark.parametrize("lp", ["en-zh", "en-ja", "eng-zho_Hans", "en-th"])
def test_metrics_on_words_say_nothing_about_texts_without_spaces(metric, lp):
    found = answer(Question(metric, "corpus", 8.0, lp), bundled(), "wmt")
    assert not found.is_answered
    assert "written without spaces" in found.probability.reason


def test_every_answer_has_a_bound_and_none_is_certain():
    for curve in bundled(["bleu", "chrf", "ter", "hlepor"]):
        for x in curve.x.tolist():
            found = curve.probability(x)
            assert 0 <= found.low <= found.value < 1
            assert found.value <= found.high
            assert found.low < found.high


def test_opposite_preferences_are_those_of_the_step():
    found = answer(Question("bleu", "corpus", 1.2), bundled(), "wmt")
    assert found.opposite.value == found.step.opposite / found.step.pairs > 0
    assert found.opposite.low < found.opposite.value < found.opposite.high
    assert found.step.independent < found.step.pairs


def test_what_people_said_in_a_campaign_that_the_calibration_was_not_fitted_to():
    found = answer(Question("bleu", "corpus", 12.0, "en-zh"), bundled(), "wmt")
    assert found.probability.value > 0.9
    assert found.checked_on == "WMT 2024 (ESA)"
    assert "wmt24" not in found.population.campaigns
    assert found.check.observed < found.probability.low  # 81 % of 80 pairs: WMT24 is another era
    assert found.tree()["checked_on"] == "WMT 2024 (ESA)"


@pytest.mark.parametrize("calibration", [bundled(), published()], ids=["wmt", "lo2023"])
def test_equal_scores_cannot_be_looked_up(calibration):
    found = answer(Question("bleu", "corpus", 0.0), calibration, "it")
    assert not found.is_answered
    assert "the scores are equal" in found.probability.reason


def test_below_the_first_cut_off_nothing_means_the_same():
    assert answer(Question("bleu", "corpus", 1.0), published(), "lo2023").equivalents == ()
