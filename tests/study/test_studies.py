from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay.results import Estimate
from assay.significance.paired_t import PairedT
from assay.types import Campaign, Scorable, ScoreTable
from scripts.bundle_calibration import STORED
from scripts.studies import aggregation, llm_order, metrics_and_people, sampling, thresholds
from scripts.studies.judged_pairs import (
    LEXICAL,
    Pair,
    agrees,
    difference_with_interval,
    is_better,
    is_worse,
    mean_of_language_pairs,
    share,
    share_with_bounds,
    share_with_interval,
    threshold_with_interval,
)
from scripts.studies.page import estimate_text, is_sure, points, table


def pair(difference, preferred, *, lp="en-de", better="ONLINE-B", worse="GPT-4", campaign="wmt24", metric="bleu"):
    return Pair(campaign, lp, "ESA", metric, "corpus", better, worse, difference, preferred >= 0, preferred)


def in_language_pairs(outcomes, count=6, **options):
    """The same outcomes in several language pairs, each of systems of its own."""
    difference = options.pop("difference", 1.0)
    systems = options.pop("systems", lambda k: (f"a{k}", f"b{k}"))
    return [
        pair(difference, preferred, lp=f"en-x{number}", better=systems(k)[0], worse=systems(k)[1], **options)
        for number in range(count)
        for k, preferred in enumerate(outcomes)
    ]


PAIRS = [pair(1.0, -1), pair(2.0, 0), pair(3.0, 1), pair(4.0, 1), pair(5.0, 1)]


def test_shares_of_outcomes():
    assert [share(PAIRS, outcome) for outcome in (agrees, is_better, is_worse)] == [0.8, 0.6, 0.2]
    assert math.isnan(share([], agrees))
    assert (PAIRS[0].year, PAIRS[0].kinds) == (2024, "MT-over-LLM")


def test_thresholds_are_those_of_an_isotonic_fit():
    assert threshold_with_interval(PAIRS, 0.8, is_better).value == 3.0
    assert threshold_with_interval(PAIRS, 0.8, agrees).value == 2.0
    assert math.isnan(threshold_with_interval(PAIRS[:2], 0.8, is_better).value)


def test_intervals_need_five_language_pairs():
    assert math.isnan(share_with_interval(PAIRS, agrees).low)
    assert math.isnan(difference_with_interval(PAIRS, PAIRS, agrees).low)
    assert math.isnan(mean_of_language_pairs([1.0] * 4).low)
    several = [pair(1.0, preferred, lp=f"en-{k}") for k, preferred in enumerate([1] * 6 + [-1] * 6)]
    found = share_with_interval(several, is_better)
    assert found.value == 0.5
    assert 0.2 < found.low < 0.5 < found.high < 0.8
    always = [pair(1.0, 1, lp=each.lp) for each in several]
    gain = difference_with_interval(always, several, is_better)
    assert (gain.value, gain.low, gain.high) == pytest.approx((0.5, 1 - found.high, 1 - found.low))


def test_differences_of_other_pairs_of_the_same_language_pairs():
    lows, highs = in_language_pairs([-1, 0, 1]), in_language_pairs([1, 1, 1, 0])
    found = difference_with_interval(highs, lows, is_better)
    assert (found.value, found.low, found.high) == pytest.approx([3 / 4 - 1 / 3] * 3)
    assert is_sure(found)


def test_shares_without_failures_have_exact_bounds():
    """Resamples of language pairs without a failure have none either, which bounds nothing."""
    always = in_language_pairs([1], count=10)
    found = share_with_interval(always, is_worse)
    assert (found.value, found.low, found.high) == (0.0, 0.0, pytest.approx(0.3085, abs=1e-4))
    assert share_with_bounds(always, is_worse).n == 10
    hub = [pair(1.0, 1, worse=f"b{k}") for k in range(20)]  # one good system before twenty others
    assert share_with_bounds(hub, is_better).n == 1
    assert share_with_bounds(hub, is_better).low == pytest.approx(0.025)


def test_clusters_and_preferences_of_a_sample():
    noise = np.tile([0.0, 1.0, 2.0, 3.0], 10)
    values = np.stack([noise + 5, noise[::-1] + 5, noise])
    assert sampling._is_better(values).tolist() == [[False, False, True], [False, False, True], [False] * 3]
    assert sampling._clusters(values) == 2
    (sampled,) = (each for each in sampling._sampled("wmt24", "en-de", values) if each.size == 25)
    assert (sampled.kept, sampled.reversed, sampled.clusters) == (1.0, 0.0, 2.0)


def test_preferences_are_those_of_the_paired_t_test():
    values = np.random.Generator(np.random.PCG64(3)).normal(size=(5, 30)).cumsum(axis=0)
    scorable = Scorable.of_segments(values, tuple("abcde"))
    p_values = PairedT().compare_all(scorable).p
    assert sampling._is_better(values).tolist() == (np.nan_to_num(p_values, nan=1.0) < 0.05).tolist()


def test_only_segments_that_are_judged_for_all_systems_count():
    scores = ScoreTable(
        "esa", "segment", ("a", "b", "refA"), [[1.0, math.nan, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], protocol="ESA"
    )
    campaign = Campaign("wmt24", "en-de", 3, ("a", "b", "refA"), ("refA",), None, (scores,))
    assert sampling._cells(campaign).tolist() == [[1.0, 3.0], [4.0, 6.0]]


def test_tables():
    lines = ["| a | b |", "| --- | --: |", "| x-y | −1 |"]
    assert table(("a", "b"), [("x-y", "-1")]).splitlines() == lines


def test_numbers_with_intervals():
    assert estimate_text(Estimate(-0.5, 9, -0.75, 0.25)) == "−0.50 [−0.75, 0.25]"
    assert estimate_text(Estimate(0.5, 3)) == "0.50"
    assert points(Estimate(0.041, 9, 0.017, 0.064)) == "+4.1 [+1.7, +6.4]"
    assert points(Estimate(-0.048, 3)) == "−4.8"
    assert points(Estimate(1e-17, 9, -1e-17, 0.0)) == "0.0 [0.0, 0.0]"
    assert [is_sure(Estimate(0.1, 9, *bounds)) for bounds in ((0.01, 0.2), (-0.2, -0.1), (-0.1, 0.2), ())] == [
        True,
        True,
        False,
        False,
    ]


ALWAYS, NEVER, MIXED = [1] * 4, [-1] * 4, [1, 1, -1, -1]


def of_year(year, outcomes, **options):
    return in_language_pairs(outcomes, campaign=f"wmt{year % 100}", difference=3.0, **options)


def test_old_thresholds_are_doubted_only_with_an_interval():
    old = of_year(2020, ALWAYS)
    assert thresholds._said_of_thresholds([*old, *of_year(2024, MIXED)]).startswith("Do not carry a threshold over")
    assert "+50.0 [+50.0, +50.0] points in 2024" in thresholds._said_of_thresholds([*old, *of_year(2024, MIXED)])
    unchanged, few = of_year(2024, ALWAYS), of_year(2024, MIXED, count=4)
    for now in (unchanged, few):
        assert thresholds._said_of_thresholds([*old, *now]).startswith("It is not shown that thresholds have changed")


@pytest.mark.parametrize(
    ("outcomes", "claim"),
    [
        (ALWAYS, "the sign is a weak hint"),
        (NEVER, "people prefer the worse-scored system"),
        (MIXED, "the sign does not say whom people prefer"),
    ],
)
def test_small_differences(outcomes, claim):
    said = thresholds._said_of_small_differences(in_language_pairs(outcomes, difference=0.5))
    assert said.startswith(f"Below 1 BLEU, {claim}: in 2024, ")
    assert said.endswith(f"more often in {'2024' if outcomes is NEVER else 'none of these years'}.")


def metrics_of(year, bleu, other, metric, **options):
    """The same pairs of systems under BLEU and another metric."""
    return [*of_year(year, bleu, **options), *of_year(year, other, metric=metric, **options)]


def test_newer_metrics():
    latest = metrics_of(2025, MIXED, NEVER, "XCOMET-XL", count=1)
    better = metrics_of(2024, MIXED, ALWAYS, "MetricX-23-XL")
    said = thresholds._said_of_newer_metrics([*better, *latest])
    assert said.startswith("Newer metrics can be better than BLEU, but not in every language pair: in 6 language pairs")
    assert "of the 1 in 2025, people agreed less often than with BLEU with 1 in en-x0" in said
    worse = metrics_of(2024, MIXED, NEVER, "MetricX-23-XL")
    said = thresholds._said_of_newer_metrics([*worse, *latest])
    assert said.startswith("It is not shown that newer metrics are better than BLEU")


def aggregated(corpus, segment, **options):
    """The same pairs of systems under all aggregations of both lexical metrics."""
    return [
        replace(each, metric=metric, aggregation=name)
        for metric in LEXICAL
        for name, outcomes in (("corpus", corpus), ("segment", segment), ("bootstrap", corpus))
        for each in of_year(2024, outcomes, **options)
    ]


def test_the_choice_of_an_aggregation():
    assert "prefer segment means of BLEU and chrF" in aggregation._said_of_all(aggregated(MIXED, ALWAYS))
    assert "prefer corpus scores of BLEU and chrF" in aggregation._said_of_all(aggregated(ALWAYS, MIXED))
    for pairs in (aggregated(MIXED, MIXED), aggregated(MIXED, ALWAYS, count=3)):
        assert "no aggregation is surely better" in aggregation._said_of_all(pairs)


def test_aggregations_by_year():
    gain = aggregated(MIXED, ALWAYS)
    loss = [replace(each, campaign="wmt25") for each in aggregated(ALWAYS, MIXED, count=2)]
    said = aggregation._said_by_year([*gain, *loss])
    assert said.startswith("Single campaigns differ: segment means against corpus scores are from −50.0 percentage")
    assert said.endswith("that are above 0: 2 of 2; below 0: 0.")
    assert aggregation._said_by_year(gain).startswith("All campaigns point one way")


def test_aggregations_by_length():
    gain, same = aggregated(MIXED, ALWAYS), aggregated(MIXED, MIXED)
    middle, longest = (180, 400), (400, math.inf)
    assert aggregation._said_by_length({middle: gain, longest: same}).startswith("Consider segment means of chrF")
    assert "do not settle it" in aggregation._said_by_length({middle: same, longest: gain})


def test_mixed_pairs_are_believed_only_by_exact_bounds():
    many, few = in_language_pairs([1], count=12), in_language_pairs([1], count=2)
    doubtful = in_language_pairs([1, -1], count=6)
    said = llm_order._said_of_mixed_pairs(many, doubtful)
    assert said.startswith("If BLEU puts an LLM ahead of an MT system, people mostly prefer it, too; if BLEU puts the")
    assert "100 % [74, 100] and the worse-scored one in 0 % [0, 26] of 12 pairs" in said
    assert "MT system ahead, ask people." in said
    assert llm_order._said_of_mixed_pairs(few, many).startswith("If BLEU puts an LLM ahead of an MT system, it may be")


def ahead(is_llm, agreed, metric="bleu"):
    systems = ("GPT-4", "ONLINE-B") if is_llm else ("ONLINE-B", "GPT-4")
    return in_language_pairs([1 if agreed else -1], systems=lambda _: systems, metric=metric)


def test_metrics_that_take_sides():
    to_mt, to_llm, fair = ahead(False, False), ahead(True, False, "MetricX-23-XL"), ahead(True, True, "chrf")
    assert llm_order._said_of_sides([*to_mt, *to_llm]).startswith("Metrics take both sides, so report one metric of")
    assert llm_order._said_of_sides([*to_mt, *fair]).startswith("Metrics take sides, but only one side is sure: BLEU")
    assert llm_order._said_of_sides(fair).startswith("No metric surely takes a side. Only 1 of 1 biases")
    assert llm_order._said_of_sides(to_mt[:3]).startswith("No metric surely takes a side. Only 0 of 1 biases")


def test_two_llms():
    claims = {
        "Between two LLMs, BLEU errs less": (ALWAYS, MIXED),
        "Between two LLMs, BLEU errs more": (MIXED, ALWAYS),
        "It is not shown": (MIXED, MIXED),
    }
    for claim, (two, mt) in claims.items():
        assert llm_order._said_of_two_llms(in_language_pairs(two), in_language_pairs(mt)).startswith(claim)


def test_raters_are_no_ceiling():
    raters, bound = metrics_and_people.RATERS, metrics_and_people.BOUND
    values = metrics_and_people._with_bound({"chrf": 0.6, "bleu": 0.4, raters: 0.49})
    assert values[bound] == pytest.approx(0.7)
    assert bound not in metrics_and_people._with_bound({raters: -0.1})
    said = metrics_and_people._said_of_means({"en-de": values})
    assert said.startswith("Raters who correlate by r do not limit metrics to r: 1 of 2")
    assert "0 above its square root" in said
    assert "chrF has the highest mean (0.60) and BLEU the lowest (0.40); the raters have 0.49" in said
    below = {"en-de": {**values, "chrf": 0.45}}
    assert metrics_and_people._said_of_means(below).startswith("No metric is above the raters: 0 of 2")
    assert metrics_and_people._said_of_language_pairs({"en-de": values}).startswith(
        "No metric orders systems backwards"
    )
    negative = {"en-de": values, "en-is": {**values, "bleu": -0.2}}
    said = metrics_and_people._said_of_language_pairs(negative)
    assert said.startswith("Look at your language pair, not at the mean: 1 of 4")
    assert said.endswith("negative (BLEU in en-is).")


@pytest.mark.parametrize(
    ("best", "claim"), [(MIXED, "Trust a metric less among the best"), (ALWAYS, "It is not shown that metrics say")]
)
def test_the_best_systems(monkeypatch, best, claim):
    def pairs_of_best(metric, year, limit):
        return of_year(year, ALWAYS if limit is None else best, metric=metric)

    monkeypatch.setattr(metrics_and_people, "_pairs_of_best", pairs_of_best)
    monkeypatch.setattr(metrics_and_people, "_judged", lambda name: dict.fromkeys(f"en-x{k}" for k in range(6)))
    said = metrics_and_people._said_of_best_systems()
    assert said.startswith(claim)
    cases = 2 * (len(LEXICAL) + len(STORED))
    assert f"in {cases if best is MIXED else 0} of {cases} cases" in said


def sampled(lp, missed, wrong):
    return sampling.Sampled("wmt24", lp, 50, 0.5, wrong, missed, 1.0, 0.5)


def test_small_samples():
    def said(missed, wrong):
        return sampling._said_of_small_samples([sampled(f"en-x{k}", missed, wrong) for k in range(6)])

    assert said(0.3, 0.01).startswith("A small sample misses more than it gets wrong: with 50 segments of WMT24, 30 %")
    assert said(0.01, 0.3).startswith("A small sample gets more wrong than it misses")
    assert said(0.1, 0.1).startswith("It is not shown whether a small sample misses more")


def test_one_rating_or_two():
    def said(*gains):
        return sampling._said_of_raters({f"en-x{k}": (0.9, 0.7 + gain, 0.7) for k, gain in enumerate(gains)})

    assert "judge more segments once" in said(0.1, 0.1, 0.1, 0.2, 0.1)
    assert "judge fewer segments twice" in said(-0.1, -0.1, -0.1, -0.2, -0.1)
    doubtful = said(0.1, -0.1, 0.1, -0.1, 0.05)
    assert "it is not shown whether to judge more segments once or fewer twice" in doubtful
    assert "tells more apart in 3 language pairs and fewer in 2" in doubtful
