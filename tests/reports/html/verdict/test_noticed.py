from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay import explain
from assay.reports.html.verdict.compared_pair import pair_verdict
from assay.reports.html.verdict.noticed import used_calibration
from assay.reports.html.verdict.systems import comparison_verdict
from assay.results import Estimate
from tests.reports.html.comparisons import compared, comparison


@pytest.mark.parametrize(
    ("noticed", "answer", "detail"),
    [
        (None, "No calibration", "None was used."),
        (
            Estimate(math.nan, 0, reason="no calibration: the metric is unknown"),
            "No calibration",
            "The metric is unknown.",
        ),
        (
            Estimate(math.nan, 0, reason="no calibration: the observed differences are 0 to 9"),
            "No calibration",
            "The observed differences are 0 to 9.",
        ),
        (
            Estimate(0.56, 40, 0.44, 0.67),
            "About as often as not",
            "People significantly preferred the better-scored system in 56 (44 to 67) of 100 pairs that are 1.20 BLEU "
            "apart (the calibration that was given).",
        ),
        (Estimate(0.95, 40), "Almost always", None),
        (
            Estimate(1.0, 3, 1.0, 1.0),
            "Almost always",
            "People significantly preferred the better-scored system in 100 (100 to 100) of 100 pairs that are 1.20 "
            "BLEU apart (the calibration that was given; fewer than 20 pairs differed by this much or more).",
        ),
        (Estimate(0.7, 40), "More often than not", None),
        (Estimate(0.2, 40), "Less often than not", None),
        (Estimate(0.05, 40), "Rarely", None),
    ],
)
def test_what_people_would_notice(noticed, answer, detail):
    found = comparison_verdict(comparison(compared("bleu", 1.2, noticed=noticed), calibration="own")).answers[2]
    assert found.question == "Would people notice?"
    assert found.answer == answer
    assert detail is None or found.detail == detail


def test_what_people_would_notice_is_a_condition_if_no_difference_is_shown():
    found = comparison_verdict(comparison(compared("bleu", 0.2, 0.6, noticed=Estimate(0.5, 40)), calibration="own"))
    assert found.answers[2].answer == "If it is real: about as often as not"


def test_scores_that_put_different_systems_ahead_give_no_single_probability():
    metrics = (compared("bleu", 1.2, noticed=Estimate(0.6, 40)), compared("chrf", -0.8, noticed=Estimate(0.5, 40)))
    found = comparison_verdict(comparison(*metrics, calibration="own")).answers[2]
    assert found.answer == "The scores disagree"
    assert found.detail == "By BLEU, people would prefer new; by chrF, people would prefer base."


def test_probabilities_of_different_data_are_not_one():
    used = {name: explain("bleu", 1.2, lp="en-de", agg=name).probability for name in ("corpus", "segment")}
    metrics = (compared("bleu", 1.2, aggregation=name, noticed=each) for name, each in used.items())
    found = comparison_verdict(comparison(*metrics, calibration="wmt")).answers[2]
    low, high = sorted(round(100 * each.value) for each in used.values())
    assert found.answer == f"{high} of 100 by some data, {low} by other data"
    assert "(wmt20; " in found.detail
    assert "no interval)" in found.detail
    assert "(wmt21.news, wmt22)" in found.detail
    assert found.detail.endswith("cannot be compared with each other.")


def test_answers_stand_in_groups_by_their_data():
    used = {name: explain("bleu", 1.2, lp="en-de", agg=name).probability for name in ("corpus", "segment")}
    metrics = (compared("bleu", 1.2, aggregation=name, noticed=each) for name, each in used.items())
    made = comparison(*metrics, calibration="wmt")
    found = used_calibration(pair_verdict(made), made, ())
    assert [[score.label for score in group.scores] for group in found.groups] == [["BLEU"], ["BLEU segment mean"]]
    assert [group.campaigns for group in found.groups] == ["wmt20", "wmt21.news, wmt22"]
    unknown = replace(made, settings={**made.settings, "calibration": "own"})
    assert used_calibration(pair_verdict(unknown), unknown, ()).calibration is None
