from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from assay.calibration.system_kinds import LLM_OVER_MT, MT_OVER_LLM
from assay.labels.numbers import share_text
from assay.measurement.units import by_document
from assay.results import Estimate
from assay.significance.paired_t import PairedT
from assay.significance.randomisation import Randomisation
from assay.significance.signed_rank import SignedRank
from assay.types import Campaign, Scorable, ScoreTable, TestSet
from scripts.bundle_calibration import STORED
from scripts.studies import aggregation, judged_pairs, llm_order, metrics_and_people, sampling, thresholds
from scripts.studies.__main__ import STUDIES
from scripts.studies.judged_pairs import (
    LEXICAL,
    Pair,
    agrees,
    difference_with_interval,
    have_documents,
    is_better,
    is_better_by_document,
    is_worse,
    is_worse_by_document,
    mean_of_language_pairs,
    share,
    share_with_bounds,
    share_with_interval,
    threshold_with_interval,
)
from scripts.studies.page import FOLDER, estimate_text, is_as_written, is_sure, points, table
from tests.human.judged import needs_archives


def pair(difference, preferred, *, lp="en-de", better="ONLINE-B", worse="GPT-4", campaign="wmt24", **options):
    metric, by_documents = options.get("metric", "bleu"), options.get("by_documents", preferred)
    return Pair(
        campaign, lp, "ESA", metric, "corpus", better, worse, difference, preferred >= 0, preferred, by_documents
    )


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
    assert 0.15 < found.low < 0.5 < found.high < 0.85
    always = [pair(1.0, 1, lp=each.lp) for each in several]
    gain = difference_with_interval(always, several, is_better)
    assert (gain.value, gain.low, gain.high) == pytest.approx((0.5, 1 - found.high, 1 - found.low))


def test_differences_of_other_pairs_of_the_same_language_pairs():
    lows, highs = in_language_pairs([-1, 0, 1]), in_language_pairs([1, 1, 1, 0])
    found = difference_with_interval(highs, lows, is_better)
    assert (found.value, found.low, found.high) == pytest.approx([3 / 4 - 1 / 3] * 3)
    assert is_sure(found)


def test_intervals_over_few_language_pairs_are_expanded():
    """As wide as one with Student's t, where a percentile interval is as narrow as a normal one."""
    values = list(np.linspace(-1.0, 1.0, 9))
    found = mean_of_language_pairs(values)
    deviation = float(np.std(values, ddof=1)) / 3
    assert (found.high - found.low) / 2 == pytest.approx(2.306 * deviation, rel=0.1)


def test_documents_are_swapped_as_a_whole(monkeypatch):
    """Forty segments prefer the first system; in two documents nobody can be sure of it, in twenty one can."""
    values = np.stack([np.tile([2.0, 1.0], 20), np.zeros(40)])
    table = ScoreTable("esa", "segment", ("a", "b"), values, protocol="ESA")
    for count, is_sure_of_it in ((2, False), (20, True), (1, None)):
        names = [f"d{k * count // 40}" for k in range(40)]
        texts = TestSet(outputs={"a": ["x"] * 40, "b": ["y"] * 40}, documents=names)
        campaign = Campaign("wmt24", "en-de", 40, ("a", "b"), (), texts, (table,))
        monkeypatch.setattr(judged_pairs, "campaigns", lambda name, found=campaign: (found,))
        found = judged_pairs._p_values_by_document(
            SimpleNamespace(campaign="wmt24", lp="en-de", gold="esa", systems=[("a", "b"), ("b", "a")])
        )
        if is_sure_of_it is None:
            assert found is None
        else:
            (better, worse), other = found
            assert (better < 0.05, worse > 0.5) == (is_sure_of_it, True)
            assert other == (worse, better)


def test_pairs_without_documents():
    known, unknown = pair(1.0, 1), pair(1.0, 1, by_documents=None)
    assert (have_documents([known]), have_documents([known, unknown]), have_documents([])) == (True, False, False)
    assert (is_better_by_document(known), is_better_by_document(unknown)) == (True, False)
    assert is_worse_by_document(pair(1.0, 1, by_documents=-1))


def test_shares_without_failures_have_exact_bounds():
    """Resamples of language pairs without a failure have none either, which bounds nothing."""
    always = in_language_pairs([1], count=10)
    found = share_with_interval(always, is_worse)
    assert (found.value, found.low, found.high) == (0.0, 0.0, pytest.approx(0.3085, abs=1e-4))
    assert share_with_bounds(always, is_worse).n == 10
    hub = [pair(1.0, 1, worse=f"b{k}") for k in range(20)]  # one good system before twenty others
    assert share_with_bounds(hub, is_better).n == 1
    assert share_with_bounds(hub, is_better).low == pytest.approx(0.025)


def judged(values, document, name="wmt24", ratings=None):
    systems = tuple(f"s{k}" for k in range(len(values)))
    campaign = Campaign(name, "en-de", values.shape[1], systems, (), None, ())
    return sampling.Judged(name, campaign, systems, values, values if ratings is None else ratings, document)


def in_order(count=40, gap=5.0):
    """Three systems: the first two are alike, the third is worse."""
    noise = np.tile([0.0, 1.0, 2.0, 3.0], count // 4)
    return np.stack([noise + gap, noise[::-1] + gap, noise])


def published(monkeypatch, *clusters):
    monkeypatch.setattr(sampling, "_published", lambda name, lp: {f"s{k}": each for k, each in enumerate(clusters)})
    sampling._boundaries.cache_clear()


def test_preferences_of_a_sample(monkeypatch):
    values = in_order()
    found = judged(values, np.arange(40) // 4)
    monkeypatch.setattr(sampling, "_judged", lambda name: [found])
    published(monkeypatch, 1, 1, 2)
    for test in sampling.UNITS.values():
        assert test(values, found.document).tolist() == [[False, False, True], [False, False, True], [False] * 3]
    single, whole = (each for each in sampling._sampled(found) if each.size == 25)
    assert (single.drawn, single.kept, single.reversed, single.missed) == ("segments", 1.0, 0.0, 0.0)
    assert math.isnan(single.kept_by_document)
    assert (whole.drawn, whole.kept, whole.kept_by_document, whole.reversed_by_document) == ("documents", 1.0, 1.0, 0.0)
    assert whole.boundaries == 1.0


def test_documents_are_drawn_as_a_whole():
    document = np.repeat(np.arange(10), 4)
    found = judged(in_order(), document)
    segments = sampling._draw(found, 10, sampling.WHOLE, np.random.default_rng(1))
    assert sorted(np.bincount(document[segments], minlength=10).tolist()) == [0] * 7 + [2, 4, 4]
    singly = sampling._draw(found, 10, sampling.SINGLY, np.random.default_rng(1))
    assert len(set(singly.tolist())) == 10
    assert len(set(document[singly].tolist())) > 3


def test_documents_that_agree_within_themselves_are_fewer_observations():
    """Two documents of twenty segments prefer the first system: by segments this is sure, by documents it is not."""
    values = np.stack([np.tile([2.0, 1.0], 20), np.zeros(40)])
    document = np.repeat([0, 1], 20)
    assert sampling._by_segments(values, document)[0, 1]
    assert not sampling._by_documents(values, document).any()


def test_preferences_are_those_of_the_tests_of_the_product():
    values = np.random.Generator(np.random.PCG64(3)).normal(size=(5, 30)).cumsum(axis=0)
    scorable = Scorable.of_segments(values, tuple("abcde"))
    p_values = PairedT().compare_all(scorable).p
    assert sampling._by_segments(values, None).tolist() == (np.nan_to_num(p_values, nan=1.0) < 0.05).tolist()
    documents = np.arange(30) // 3
    p_values = Randomisation().compare_all(by_document(scorable, list(map(str, documents)))).p
    assert sampling._by_documents(values, documents).tolist() == (np.nan_to_num(p_values, nan=1.0) < 0.05).tolist()


def test_signed_ranks_are_those_of_the_product():
    values = np.random.Generator(np.random.PCG64(4)).normal(size=(5, 30)).round(1).cumsum(axis=0)
    p_values = SignedRank(continuity=False).compare_all(Scorable.of_segments(values, tuple("abcde"))).p
    assert sampling._by_ranks(values).tolist() == (np.nan_to_num(p_values, nan=1.0) < 0.025).tolist()


@pytest.mark.parametrize(
    ("clusters", "shown"), [((1, 1, 2), 1.0), ((1, 2, 2), 0.0), ((1, 2, 3), 0.5), ((1, 1, 1), math.nan)]
)
@pytest.mark.parametrize("name", ["wmt24", "wmt25"])
def test_boundaries_between_published_clusters(monkeypatch, name, clusters, shown):
    found = judged(in_order(), np.arange(40), name)
    monkeypatch.setattr(sampling, "_judged", lambda name: [found])
    published(monkeypatch, *clusters)
    assert sampling._boundaries_shown(found, found.ratings) == pytest.approx(shown, nan_ok=True)


def scores(name, values):
    return ScoreTable(name, "segment", ("a", "b", "refA"), values, protocol="ESA")


def test_only_segments_that_are_judged_for_all_systems_count():
    first = scores("esa-human1", [[1.0, 3.0, 3.0, 1.0], [4.0, 5.0, 6.0, 4.0], [7.0, 8.0, 9.0, 7.0]])
    second = scores("esa-human2", [[3.0, math.nan, 5.0, 3.0], [6.0, 5.0, 8.0, 6.0], [7.0, 8.0, 9.0, 7.0]])
    both = scores("esa", [[2.0, 3.0, 4.0, 2.0], [5.0, 5.0, 7.0, 5.0], [7.0, 8.0, 9.0, 7.0]])
    texts = TestSet(
        outputs={"a": ["x"] * 4, "b": ["y"] * 4}, references={"refA": ["z"] * 4}, documents=["d", "d", "e", "e"]
    )
    campaign = Campaign("wmt25", "en-de", 4, ("a", "b", "refA"), ("refA",), texts, (both, first, second))
    found = sampling._cells(campaign, sampling.WAVES)
    assert found.systems == ("a", "b")
    assert found.values.tolist() == [[2.0, 4.0, 2.0], [5.0, 7.0, 5.0]]
    assert found.ratings.tolist() == [[1.0, 3.0, 1.0, 3.0, 5.0, 3.0], [4.0, 6.0, 4.0, 6.0, 8.0, 6.0]]
    assert found.document.tolist() == [0, 1, 1]
    assert found.take(np.array([2]))[1].tolist() == [[1.0, 3.0], [4.0, 6.0]]
    assert [each.tolist() for each in sampling._one_rating(found)] == [
        [[1.0, 3.0, 1.0], [4.0, 6.0, 4.0]],
        [[3.0, 5.0, 3.0], [6.0, 8.0, 6.0]],
    ]


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
    by_segments = of_year(2024, MIXED, by_documents=0)
    assert thresholds._said_of_thresholds([*old, *by_segments]).startswith(
        "Check thresholds of older campaigns: in 2024 they had changed by segments, by documents it is not shown"
    )


@pytest.mark.parametrize(
    ("outcomes", "claim"),
    [
        (ALWAYS, "the sign is a weak hint"),
        (NEVER, "people prefer the worse-scored system"),
        (MIXED, "it is not shown that the sign says whom people prefer, nor that it does not"),
    ],
)
def test_small_differences(outcomes, claim):
    said = thresholds._said_of_small_differences(in_language_pairs(outcomes, difference=0.5))
    assert said.startswith(f"Below 1 BLEU, {claim}: people significantly preferred the better-scored system in ")
    assert ("the sign decides at most" in said) is (outcomes is not ALWAYS)


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
    gain, loss = (
        [replace(each, campaign=name) for each in aggregated(*outcomes)]
        for name, outcomes in (("wmt24", (MIXED, ALWAYS)), ("wmt25", (ALWAYS, MIXED)))
    )
    said = aggregation._said_by_year([*gain, *loss])
    assert said.startswith("Choose the aggregation by what resembles your data: years surely differ: segment means")
    assert said.endswith("that are above 0: 2 of 4; below 0: 2.")
    assert aggregation._said_by_year(gain).startswith("All years surely point one way")
    unsure = [replace(each, campaign="wmt25") for each in aggregated(ALWAYS, MIXED, count=2)]
    assert aggregation._said_by_year([*gain, *unsure]).startswith("It is not shown that years differ")


def test_a_choice_is_tried_on_the_years_that_it_was_not_made_on():
    pairs = [
        replace(each, campaign=name)
        for name, outcomes in (("wmt21", (MIXED, ALWAYS)), ("wmt22", (MIXED, ALWAYS)), ("wmt24", (ALWAYS, MIXED)))
        for each in aggregated(*outcomes, count=2)
    ]
    assert aggregation._held_out(pairs, "bleu") == "0 of 3 years for BLEU"
    assert aggregation._held_out(pairs[: 2 * len(pairs) // 3], "bleu") == "2 of 2 years for BLEU"


def test_aggregations_by_length():
    """A gain that a single year makes is not one of the length."""
    gain, same = aggregated(MIXED, ALWAYS), aggregated(MIXED, MIXED)
    others = [replace(each, campaign="wmt22") for each in gain]
    said = aggregation._said_by_length([*gain, *others])
    assert said.startswith("Consider segment means of chrF for segments of 180 to 400 characters")
    said = aggregation._said_by_length([*gain, *(replace(each, campaign="wmt22") for each in same)])
    assert said.startswith("Do not choose an aggregation by the length of segments")
    assert "in 12 language pairs, of which 6 are of 2024; without 2024, 0.0 [0.0, 0.0] in the other 6" in said
    assert "without 2024, there are no others" in aggregation._said_by_length(gain)


def mixed_pairs(outcomes, kinds, **options):
    llm, mt = "GPT-4", "ONLINE-B"
    systems = (lambda _: (llm, mt)) if kinds == LLM_OVER_MT else (lambda _: (mt, llm))
    return in_language_pairs(outcomes, systems=systems, **options)


def test_mixed_pairs_are_believed_only_by_exact_bounds():
    many, doubtful = mixed_pairs([1], LLM_OVER_MT, count=12), mixed_pairs([1, -1], MT_OVER_LLM)
    said = llm_order._said_of_mixed_pairs(llm_order._ahead([*many, *doubtful]))
    assert said.startswith("If BLEU puts an LLM ahead of an MT system, people mostly prefer it, too; if BLEU puts an")
    assert "100 % [74, 100] of 12 pairs and the MT system in 0 % [0, 26]" in said
    assert "12 MT systems" in said
    doubts = "If BLEU puts an LLM ahead of an MT system, it may be wrong: ask people"
    for few in (mixed_pairs([1], LLM_OVER_MT, count=2), mixed_pairs([1], LLM_OVER_MT, count=12, by_documents=0)):
        assert llm_order._said_of_mixed_pairs(llm_order._ahead([*few, *doubtful])).startswith(doubts)


def test_rules_do_not_rest_on_weak_systems():
    many = mixed_pairs([1], LLM_OVER_MT, count=12)
    weak = llm_order._weak_systems(many)
    assert weak == {(each.cluster, "ONLINE-B") for each in many}
    said = llm_order._said_of_mixed_pairs(llm_order._ahead(many, weak))
    assert said.startswith("If BLEU puts an LLM ahead of an MT system, it may be wrong")


def ahead(is_llm, agreed, metric="bleu"):
    systems = ("GPT-4", "ONLINE-B") if is_llm else ("ONLINE-B", "GPT-4")
    return in_language_pairs([1 if agreed else -1], systems=lambda _: systems, metric=metric)


def test_metrics_that_take_sides():
    to_mt, to_llm, fair = ahead(False, False), ahead(True, False, "MetricX-23-XL"), ahead(True, True, "chrf")
    assert llm_order._said_of_sides([*to_mt, *to_llm]).startswith("Metrics take both sides, so report one metric of")
    assert llm_order._said_of_sides([*to_mt, *fair]).startswith("Metrics take sides, but only one side is sure: BLEU")
    assert llm_order._said_of_sides(fair).startswith("No metric surely takes a side. Only 1 of 1 biases")
    assert llm_order._said_of_sides(to_mt[:3]).startswith("No metric surely takes a side. Only 0 of 1 biases")


def of_judges(own, other, count=6):
    """GPT-4.1 and CommandA against others: a judge puts its own family first, or does not, and people disagree."""
    return [
        pair(1.0, -1, lp=f"en-x{k}", campaign="wmt25", metric=judge, better=better, worse=worse)
        for k in range(count)
        for judge, family, rival in (
            ("GEMBA-ESA-GPT4.1", "GPT-4.1", "Claude-4"),
            ("GEMBA-ESA-CMDA", "CommandA", "Gemma-3-12B"),
        )
        for name, is_first in ((judge, own), (next(each for each in llm_order.JUDGES if each != judge), other))
        for judge in (name,)
        for better, worse in [(family, rival) if is_first else (rival, family)]
    ]


def test_judges_of_a_family():
    found = llm_order._own_family(of_judges(own=True, other=False))
    assert [each.value for each in found["GEMBA-ESA-GPT4.1"]] == [1.0, -1.0, 2.0]
    said = llm_order._said_of_judges
    assert said(of_judges(own=True, other=False)).startswith(
        "Do not let a judge rank its own family: GEMBA-ESA-GPT4.1 "
    )
    assert said(of_judges(own=False, other=True)).startswith("Judges surely rated their own family lower")
    for unclear in (of_judges(own=True, other=True), of_judges(own=True, other=False, count=4)):
        assert said(unclear).startswith("It is not shown that a judge favours its own family, nor")


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


def sampled(lp, missed, wrong, name="wmt24", drawn="documents", size=50, kept=0.5):
    return sampling.Sampled(name, lp, size, drawn, kept, wrong, missed, 0.5, kept, wrong, missed, 0.5)


def test_small_samples():
    def said(missed, wrong):
        return sampling._said_of_small_samples(
            [
                sampled(f"en-x{k}", missed, wrong if drawn == "documents" else 0.0, name, drawn)
                for name in sampling.NAMES
                for drawn in (sampling.SINGLY, sampling.WHOLE)
                for k in range(6)
            ]
        )

    found = said(0.3, 0.01)
    assert found.startswith(
        "A small sample misses more than it gets wrong, but it gets some wrong: in whole documents, "
    )
    assert (
        "50 segments of WMT24 miss the preference of 30 % of the pairs (by documents 30 %) and reverse that of" in found
    )
    assert "0.0 % if segments could be drawn singly" in found
    assert said(0.01, 0.3).startswith("A small sample gets more wrong than it misses")
    assert said(0.1, 0.1).startswith("It is not shown whether a small sample misses more")


def test_sizes_are_tried_on_language_pairs_that_did_not_choose_them():
    samples = [
        sampled(f"en-x{k}", 0.1, 0.0, size=size, kept=kept)
        for size, of_each in ((50, (0.9, 0.9, 0.5)), (100, (1.0, 1.0, 0.7)))
        for k, kept in enumerate(of_each)
    ]
    assert sampling._needed(samples, "wmt24", "kept") == 100
    assert sampling._needed(samples, "wmt24", "kept", "en-x2") == 50
    assert list(sampling._tried(samples, "wmt24", "kept")) == [1.0, 1.0, 0.5]
    assert sampling._needed(samples, "wmt25", "kept") is None


def test_one_rating_or_two():
    def said(by_segments, by_documents):
        return sampling._said_of_raters(
            {
                unit: {f"en-x{k}": sampling.Raters(0.9, 0.7, 0.7 + gain, 0.7) for k, gain in enumerate(gains)}
                for unit, gains in (("segments", by_segments), ("documents", by_documents))
            }
        )

    unclear = (0.1, -0.1, 0.1, -0.1, 0.05)
    sure = (0.1, 0.1, 0.1, 0.2, 0.1)
    found = said(unclear, sure)
    assert found.startswith(
        "If you pay by rating, two ratings of half the paragraphs, tested by documents, are surely better than one of "
        "all, and for the others it is not shown"
    )
    assert "(half the paragraphs, tested by documents; better in 5 of 5 language pairs)" in found
    assert "it is not shown whether to judge more segments once or fewer twice" in said(unclear, unclear)
    assert "are surely worse than one of all" in said([-each for each in sure], unclear)


def test_pages_are_as_their_scripts_wrote_them():
    """A number that somebody edits fails here."""
    for name in STUDIES:
        text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert is_as_written(text), name
        assert not is_as_written(text.replace("%", "per cent", 1))
        digits = next(k for k, letter in enumerate(text) if letter.isdigit())
        assert not is_as_written(text[:digits] + "7" * (text[digits] != "7") + "8" + text[digits + 1 :])


def test_one_interval_for_one_number():
    """What the study says of mixed pairs under BLEU is what `assay explain` says of them."""
    text = (FOLDER / "llm-order.md").read_text(encoding="utf-8")
    for kinds in (MT_OVER_LLM, LLM_OVER_MT):
        count, better, worse = llm_order._calibrated(kinds)
        assert f"in {share_text(better)} of {count} pairs and the " in text
        assert f" in {share_text(worse)} (by documents" in text


@needs_archives
@pytest.mark.slow
@pytest.mark.parametrize("name", ["llm-order", "sampling"])
def test_pages_are_what_their_scripts_write(name):
    page = {"llm-order": llm_order, "sampling": sampling}[name].study()
    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == page.text(name)
