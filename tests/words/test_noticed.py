from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay import explain
from assay.results import Estimate
from assay.words.compared_pair import pair_verdict
from assay.words.noticed import in_hundred, noticed_scores
from assay.words.systems import comparison_verdict
from tests.reports.page.comparisons import compared, comparison


@pytest.mark.parametrize(
    ("noticed", "answer", "detail"),
    [
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
            "Uncertain",
            "In the data of the calibration, people significantly preferred the better-scored system in 56 % [44, 67] "
            "of pairs of systems with such a difference in BLEU.",
        ),
        (Estimate(0.95, 40, 0.91, 0.98), "Almost always", None),
        (Estimate(0.95, 40, 0.89, 0.98), "More often than not", None),
        (
            Estimate(0.8, 3, 0.29, 1.0),
            "Uncertain",
            None,
        ),
        (Estimate(0.2, 40, 0.05, 0.45), "Less often than not", None),
        (Estimate(0.05, 40, 0.0, 0.1), "Rarely", None),
    ],
)
def test_what_people_would_notice(noticed, answer, detail):
    found = comparison_verdict(comparison(compared("bleu", 1.2, noticed=noticed), calibration="own")).answers[2]
    assert found.question == "Would people notice?"
    assert found.answer == answer
    assert detail is None or found.detail == detail


def test_what_people_would_notice_is_a_condition_if_no_difference_is_shown():
    found = comparison_verdict(
        comparison(compared("bleu", 0.2, 0.6, noticed=Estimate(0.5, 40, 0.4, 0.6)), calibration="own")
    )
    assert found.answers[2].answer == "If it is real: uncertain"


@pytest.mark.parametrize(
    ("p", "caution"),
    [
        (
            0.001,
            "The difference comes from only 100 segments; the smallest test set of the calibration has 332.",
        ),
        (
            0.6,
            "No difference is shown (p = 0.60, 100 segments). "
            "The smallest test set of the calibration has 332 segments.",
        ),
    ],
)
def test_what_speaks_against_the_answer_comes_first(p, caution):
    found = comparison_verdict(comparison(compared("bleu", 1.2, p, noticed=explain("bleu", 1.2)), calibration="wmt"))
    assert found.answers[2].detail.startswith(caution)
    assert found.brief[1].startswith(f"Would people notice? {caution}")


@pytest.mark.parametrize(
    ("protocol", "smallest"),
    [("DA/SQM", 420), ("ESA", 332)],  # Livonian in WMT22; paragraphs in WMT25
)
@pytest.mark.parametrize("missing", [1, 0])
def test_only_fewer_segments_than_any_test_set_of_the_answer_are_few(protocol, smallest, missing):
    noticed = explain("bleu", 1.2, protocol=protocol)
    score = compared("bleu", 1.2, noticed=noticed)
    (pair,) = score.pairs
    score = replace(score, pairs=(replace(pair, difference=replace(pair.difference, n=smallest - missing)),))
    found = comparison_verdict(comparison(score, calibration="wmt")).answers[2]
    assert found.detail.startswith(f"The difference comes from only {smallest - 1} segments") == bool(missing)
    assert found.answer.startswith("With only") == bool(missing)


def test_scores_that_disagree_without_a_difference_say_so_first():
    noticed = Estimate(math.nan, 0, reason="no calibration: the metrics prefer different systems")
    metrics = (compared("bleu", 0.2, 0.6, noticed=noticed), compared("chrf", -0.1, 0.7, noticed=noticed))
    found = comparison_verdict(comparison(*metrics, calibration="wmt"))
    caution = "No difference is shown (p = 0.60, 100 segments)."
    assert found.brief[1].startswith(f"Would people notice? {caution} The scores disagree. BLEU prefers")


def test_scores_that_put_different_systems_ahead_give_no_single_probability():
    noticed = Estimate(math.nan, 0, reason="no calibration: the metrics prefer different systems")
    metrics = (compared("bleu", 1.2, noticed=noticed), compared("chrf", -0.8, noticed=noticed))
    found = comparison_verdict(comparison(*metrics, calibration="own")).answers[2]
    assert found.answer == "The scores disagree"
    assert (
        found.detail
        == "BLEU prefers new, but chrF prefers base. The scores do not say which system people would prefer."
    )


def test_a_check_that_contradicts_the_calibration_limits_the_answer():
    """BLEU 12: 94 % in WMT24 and WMT25, 76 % of the left-out pairs that the other campaigns say so of."""
    answer = explain("bleu", 12.0)
    noticed = replace(answer, probability=replace(answer.probability, low=0.92))
    found = comparison_verdict(comparison(compared("bleu", 12.0, noticed=noticed), calibration="wmt")).answers[2]
    assert found.answer == "With only 100 segments: more often than not"
    assert "In WMT 2024–2025 (ESA), people significantly preferred the better-scored system in 94 % [" in found.detail
    assert ", and the worse-scored one in 2 % [" in found.detail
    assert "Where each campaign was predicted from the others, " in found.detail


def test_what_was_checked_is_what_the_calibration_counts():
    noticed = replace(explain("bleu", 12.0), orientation="absolute")
    found = comparison_verdict(comparison(compared("bleu", 12.0, noticed=noticed), calibration="wmt")).answers[2]
    assert found.detail.count("people significantly preferred either system in") == 2
    assert "better-scored" not in found.detail
    assert "; they significantly preferred the worse-scored system in 2 %" in found.detail


def test_probabilities_of_different_data_are_not_one():
    used = {name: explain("bleu", 1.2, lp="en-fi", agg=name, protocol="DA/SQM") for name in ("corpus", "segment")}
    metrics = (compared("bleu", 1.2, aggregation=name, noticed=each) for name, each in used.items())
    found = comparison_verdict(comparison(*metrics, calibration="wmt")).answers[2]
    assert found.answer == "With only 100 segments: less often than not by BLEU, but the scores differ"
    claim = "In WMT {} (DA/SQM), people significantly preferred the better-scored system in "
    assert claim.format("2020–2022") in found.detail
    other, last = found.others
    assert other.startswith(claim.format("2021–2022"))
    assert last.endswith("rest on different pairs of systems and cannot be compared.")


def test_answers_stand_in_groups_by_their_data():
    used = {name: explain("bleu", 1.2, lp="en-fi", agg=name, protocol="DA/SQM") for name in ("corpus", "segment")}
    metrics = (compared("bleu", 1.2, aggregation=name, noticed=each) for name, each in used.items())
    found = noticed_scores(pair_verdict(comparison(*metrics, calibration="wmt")).scores)
    assert [[score.label for score in group.scores] for group in found] == [["BLEU"], ["BLEU segment mean"]]
    assert [group.population for group in found] == ["WMT 2020–2022 (DA/SQM)", "WMT 2021–2022 (DA/SQM)"]


def test_without_a_calibration_the_question_is_not_asked():
    questions = [answer.question for answer in comparison_verdict(comparison(compared("bleu", 1.2))).answers]
    assert questions == ["Which system is better?", "How sure?"]


def test_each_score_by_itself():
    few = compared("bleu", 1.2, noticed=Estimate(0.8, 3, 0.29, 1.0))
    (score,) = pair_verdict(comparison(few)).scores
    few_pairs = "(fewer than 20 pairs differed by this much or more)"
    assert in_hundred(score) == f"80 % [29, 100] of pairs of systems that differ by 1.20 BLEU {few_pairs}"
