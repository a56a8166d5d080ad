"""Every combination of outcomes has its sentence."""

from __future__ import annotations

import math

import pytest

from assay.reports.html.verdict.systems import comparison_verdict, pair_verdict
from assay.results import Estimate, GroupDifference, GroupDifferences, Power
from tests.reports.html.comparisons import compared, comparison
from tests.store.examples import example

CASES = {
    "all agree": (
        [compared("bleu", 1.2), compared("chrf", 0.8)],
        "Both metrics put new ahead of base.",
        "By BLEU, new is 1.2 ahead, more than chance explains.",
        ("new, by all 2 scores", "Sure of a difference on all 2 scores"),
    ),
    "three agree": (
        [compared("bleu", 1.2, 0.02), compared("chrf", 0.8), compared("ter", -0.8, higher_is_better=False)],
        "All 3 metrics put new ahead of base.",
        "By BLEU, new is 1.2 ahead, more than chance explains.",
        ("new, by all 3 scores", "All 3 scores show a difference"),
    ),
    "one metric, two aggregations": (
        [compared("bleu", 1.2), compared("bleu", 0.9, aggregation="segment")],
        "BLEU puts new ahead of base.",
        "By BLEU, new is 1.2 ahead, more than chance explains.",
        ("new, by all 2 scores", "Sure of a difference on all 2 scores"),
    ),
    "some show nothing": (
        [compared("bleu", 0.3, 0.4), compared("chrf", 0.8)],
        "chrF puts new ahead of base.",
        "By chrF, new is 0.8 ahead, more than chance explains. No difference is shown by BLEU.",
        ("new, by 1 of 2 scores", "1 of 2 scores show a difference"),
    ),
    "one aggregation shows nothing": (
        [compared("bleu", 0.3, 0.4), compared("bleu", 0.9, aggregation="segment"), compared("chrf", 0.8)],
        "BLEU segment mean and chrF put new ahead of base.",
        "By BLEU segment mean, new is 0.9 ahead, more than chance explains. No difference is shown by BLEU.",
        ("new, by 2 of 3 scores", "2 of 3 scores show a difference"),
    ),
    "the other is ahead": (
        [compared("bleu", -1.2)],
        "BLEU puts base ahead of new.",
        "By BLEU, base is 1.2 ahead, more than chance explains.",
        ("base", "Sure of a difference"),
    ),
    "disagree": (
        [compared("bleu", 1.2), compared("chrf", -0.8)],
        "The metrics disagree on new and base.",
        "By BLEU, new is 1.2 ahead, more than chance explains. chrF puts base ahead.",
        ("It depends on the score", "Sure of a difference on all 2 scores"),
    ),
    "nothing shown": (
        [compared("bleu", 0.2, 0.6), compared("chrf", -0.1, 0.7)],
        "No difference between new and base is shown.",
        "That does not mean that they are equal. A test set like this one would probably show a difference of 1.5 "
        "BLEU, and may miss a smaller one.",
        ("Not shown", "Chance may explain the difference"),
    ),
    "lower is better": (
        [compared("ter", -2.0, higher_is_better=False)],
        "TER puts new ahead of base.",
        "By TER, new is 2.0 ahead, more than chance explains.",
        ("new", "Sure of a difference"),
    ),
    "lower is better, the other ahead": (
        [compared("ter", 2.0, 0.03, higher_is_better=False)],
        "TER puts base ahead of new.",
        "By TER, base is 2.0 ahead, more than chance explains.",
        ("base", "A difference is shown"),
    ),
    "identical": (
        [compared("bleu", 0.0, 1.0)],
        "new and base have the same score in every segment.",
        "",
        ("Not shown", "There is no difference to test"),
    ),
    "undefined": (
        [compared("bleu", math.nan, math.nan)],
        "The difference between new and base is undefined.",
        "Undefined: BLEU.",
        ("Not shown", "There is no difference to test"),
    ),
    "a small difference": (
        [compared("mine", 0.003)],
        "mine puts new ahead of base.",
        "By mine, new is 0.003 ahead, more than chance explains.",
        ("new", "Sure of a difference"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_combination_of_outcomes(case):
    metrics, headline, lede, answers = CASES[case]
    found = comparison_verdict(comparison(*metrics))
    assert found.text == headline
    assert " ".join(found.lede) == lede
    assert tuple(answer.answer for answer in found.answers[:2]) == answers


def test_the_words_avoid_claims_that_a_test_cannot_make():
    for metrics, *_ in CASES.values():
        found = comparison_verdict(comparison(*metrics))
        said = " ".join((found.text, *found.lede, *(answer.answer for answer in found.answers)))
        assert "not significant" not in said
        assert "are equal." not in said.replace("does not mean that they are equal.", "")


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
            "In 56 (44 to 67) of 100 pairs of systems that differ by 1.2 BLEU, people saw a difference, too, by the "
            "calibration on WMT data that comes with Assay.",
        ),
        (Estimate(0.95, 40), "Almost always", None),
        (
            Estimate(1.0, 3, 1.0, 1.0),
            "Almost always",
            "In 100 (100 to 100) of 100 pairs of systems that differ by 1.2 BLEU, people saw a difference, too, by the "
            "calibration on WMT data that comes with Assay. Fewer than 20 pairs differed so much.",
        ),
        (Estimate(0.7, 40), "More often than not", None),
        (Estimate(0.2, 40), "Less often than not", None),
        (Estimate(0.05, 40), "Rarely", None),
    ],
)
def test_what_people_would_notice(noticed, answer, detail):
    found = comparison_verdict(comparison(compared("bleu", 1.2, noticed=noticed), calibration="wmt")).answers[2]
    assert found.question == "Would people notice?"
    assert found.answer == answer
    assert detail is None or found.detail == detail


def test_differences_are_told_in_favour_of_the_first_system():
    found = pair_verdict(comparison(compared("bleu", -1.2), compared("ter", 2.0, higher_is_better=False)))
    assert (found.first, found.second, found.winner) == ("base", "new", "base")
    assert [score.favour for score in found.scores] == [1.2, 2.0]
    assert [(score.low, score.high) for score in found.scores] == [(0.7, 1.7), (1.5, 2.5)]


def test_p_values_say_whether_they_are_corrected():
    assert (
        "p = .030, corrected (holm)." in comparison_verdict(comparison(compared("bleu", 1.2, 0.03))).answers[1].detail
    )
    text = comparison_verdict(comparison(compared("bleu", 1.2, 0.0001), correction="none")).answers[1].detail
    assert text == "BLEU +1.2, interval +0.7 to +1.7, p <.001, not corrected. 100 segments."


def test_where_names_the_parts_with_the_largest_and_the_smallest_difference():
    groups = tuple(
        GroupDifference("domain", name, aggregation, 30 + gain, 30.0, gain, n, is_small=n < 10)
        for aggregation, name, n, gain in (
            ("corpus", "news", 50, 2.0),
            ("corpus", "talk", 50, -0.5),
            ("corpus", "shop", 5, 9.0),
            ("segment", "news", 50, 3.0),
        )
    )
    contrast = GroupDifferences("new", "base", "bleu", groups, 10)
    found = comparison_verdict(comparison(compared("bleu", 1.2), contrasts=(contrast,))).answers[3]
    assert found.answer == "Most in news, least in talk"
    assert found.detail == "BLEU in favour of new: +2.0 in news, −0.5 in talk."


def test_people_are_quoted_beside_the_metrics():
    ranking = example("rank ratings")
    best, worst = ranking.systems[0].system, ranking.systems[-1].system
    metric = compared("bleu", 1.2)

    def judged(first, second):
        from dataclasses import replace

        pair = replace(metric.pairs[0], first=first, second=second)
        scores = {first: metric.scores["new"], second: metric.scores["base"]}
        return comparison_verdict(comparison(replace(metric, pairs=(pair,), scores=scores)), ranking)

    def said(first, second):
        return judged(first, second).text

    assert said(best, worst) == f"BLEU puts {best} ahead of {worst}. The people who judged both agree."
    assert said(worst, best) == f"BLEU puts {worst} ahead of {best}. The people who judged both put {best} first."
    assert said("new", "base") == "BLEU puts new ahead of base."
    assert judged(worst, best).answers[2].answer == f"People put {best} first"
    assert judged("new", "base").answers[2].answer == "No calibration"


def test_of_all_pairs_the_best_two_are_named():
    compared_systems = example("compare")
    scores = compared_systems.metrics[0].scores
    order = sorted(scores, key=lambda name: -scores[name].value)
    found = pair_verdict(compared_systems)
    assert {found.first, found.second} == set(order[:2])


def test_what_could_have_been_shown_is_rounded_up_and_holds_for_one_pair():
    from dataclasses import replace

    metric = compared("bleu", 0.2, 0.6)
    pair = replace(metric.pairs[0], power=Power(0.845))
    scores = {**metric.scores, "third": metric.scores["base"]}
    two = replace(metric, pairs=(pair, replace(pair, first="third")), scores=scores)
    lede = " ".join(comparison_verdict(comparison(two)).lede)
    assert "a difference of 0.9 BLEU, and may miss a smaller one." in lede
    assert "with the correction for 2 pairs it takes more" in lede
    assert "correction" not in " ".join(comparison_verdict(comparison(two, correction="none")).lede)


def test_differences_are_listed_with_the_system_that_they_favour():
    found = comparison_verdict(comparison(compared("bleu", 0.2, 0.6), compared("chrf", -0.3, 0.6)))
    assert found.answers[0].detail == "In favour of new: BLEU +0.2. In favour of base: chrF +0.3."


def test_what_is_shown_of_the_other_systems():
    from dataclasses import replace

    metric = compared("bleu", 0.2, 0.6)
    pair = metric.pairs[0]
    scores = {**metric.scores, "third": replace(metric.scores["base"], value=20.0)}
    worse = replace(pair.difference, value=-10.0)
    lost = replace(pair, first="third", p_corrected=0.001, difference=worse)
    against_baseline = replace(metric, pairs=(pair, lost), scores=scores)
    assert comparison_verdict(comparison(against_baseline)).lede[-2:] == (
        "new is the best of the 2 systems that were compared with base, by BLEU.",
        "By BLEU, 0 of 2 systems are shown to be better than the baseline base, and 1 to be worse.",
    )
    pairs = (pair, lost, replace(lost, second="new"))
    everything = replace(comparison(replace(metric, pairs=pairs, scores=scores)), baseline=None)
    assert comparison_verdict(everything).lede[-2:] == (
        "They are the best two of 3 systems by BLEU.",
        "By BLEU, new is shown to be better than 1 of the 2 other systems, and base than 1.",
    )
