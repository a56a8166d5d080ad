"""Metrics against single rankings, beside a count pair by pair."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from assay.aggregate.resample import Bootstrap
from assay.agreement.kendall_wmt import KendallWmt
from assay.errors import ConfigError, InputError
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.intervals import IntervalOptions
from assay.metaeval.ranking_alignment import align_rankings
from assay.study.agree import agree
from assay.types import Rankings, ScoreTable
from assay.types.runtime import Runtime

SYSTEMS = ("d", "b", "a", "c", "e")


def random_rankings(random, rows=60, segments=9):
    """Of some systems each, with ties; the last system is never ranked."""
    ranks = random.integers(1, 4, size=(rows, 5))
    ranks[random.random(ranks.shape) < 0.4] = 0
    ranks[:, 4] = 0
    return Rankings("rr", SYSTEMS, ("j",), np.zeros(rows), random.integers(0, segments, rows), ranks)


def random_scores(random, segments=9, gaps=0.1, **changes):
    values = np.round(random.normal(size=(5, segments)), 0)
    values[random.random(values.shape) < gaps] = np.nan
    return ScoreTable("m", "segment", SYSTEMS, values, **changes)


def counted(scores, rankings, without=()):
    """Concordant, discordant and metric ties over all strict preferences of all judges."""
    place = {name: i for i, name in enumerate(scores.systems)}
    sign = 1 if scores.higher_is_better else -1
    found = [0, 0, 0]
    for row, segment in zip(rankings.ranks, rankings.segment, strict=True):
        for i, j in combinations(range(len(rankings.systems)), 2):
            names = rankings.systems[i], rankings.systems[j]
            x, y = (sign * scores.values[place[name], segment] for name in names)
            if 0 in (row[i], row[j]) or row[i] == row[j] or np.isnan(x + y) or set(names) & set(without):
                continue
            found[2 if x == y else int((x > y) != (row[i] < row[j]))] += 1
    return found


@pytest.mark.parametrize("rule", ["12", "13", "14"])
def test_tau_over_all_pairs_of_all_judges(rule):
    random = np.random.default_rng(int(rule))
    for higher_is_better in (True, False):
        for _ in range(10):
            scores, rankings = random_scores(random, higher_is_better=higher_is_better), random_rankings(random)
            c, d, t = counted(scores, rankings)
            expected = {"12": (c - d - t) / (c + d + t), "13": (c - d) / (c + d), "14": (c - d) / (c + d + t)}[rule]
            found = agree(scores, rankings, KendallWmt(rule), outliers="keep")
            assert found.value == pytest.approx(expected, abs=1e-14)
            assert found.weight == (c + d if rule == "13" else c + d + t)
            assert (found.settings["grouping"], found.settings["average"]) == ("ranking", "micro")
            assert found.left_out == {"e": "never ranked"}


def test_without_some_systems():
    random = np.random.default_rng(8)
    scores, rankings = random_scores(random), random_rankings(random)
    c, d, _ = counted(scores, rankings, without=("b",))
    found = agree(scores, rankings, "kendall-wmt13", exclude=["b"], outliers="keep")
    assert found.value == pytest.approx((c - d) / (c + d))
    assert found.left_out["b"] == "excluded"
    paired = align_rankings(scores, rankings).without(["b"], "because")
    assert GroupedStatistic(KendallWmt("13"), "segment", "ranking", "micro").evaluate(paired).value == found.value
    assert paired.excluded["b"] == "because"
    assert "b" not in paired.systems


def test_a_reference_and_systems_without_scores():
    random = np.random.default_rng(9)
    rankings = random_rankings(random)
    scores = random_scores(random, references=("d",)).take(("d", "b", "c"))
    found = agree(scores, rankings, "kendall-wmt13", outliers="keep")
    assert found.left_out == {
        "a": "no metric score",
        "d": "used as a reference by the metric",
        "e": "never ranked",
    }
    assert found.systems == ("b", "c")


def test_intervals():
    random = np.random.default_rng(10)
    scores, rankings = random_scores(random), random_rankings(random, rows=300)
    for statistic in ("kendall-wmt14", "acc-star"):
        found = agree(scores, rankings, statistic, resamples=50)
        assert found.estimate.low < found.value < found.estimate.high
    by_system = ScoreTable("m", "system", SYSTEMS, np.nanmean(scores.values, axis=1, keepdims=True))
    found = agree(by_system, rankings, "spearman", resamples=50)
    assert found.estimate.low < found.estimate.high  # the value itself is 1, beyond the interval
    assert found.estimate == agree(by_system, rankings, "spearman", resamples=50).estimate


def test_invalid_inputs():
    random = np.random.default_rng(11)
    scores, rankings = random_scores(random), random_rankings(random)
    with pytest.raises(ConfigError, match="rankings must be grouped by ranking"):
        agree(scores, rankings, "kendall-wmt13", grouping="item")
    with pytest.raises(ConfigError, match="rankings must be grouped by ranking"):
        agree(
            scores, ScoreTable("da", "segment", SYSTEMS, scores.values, protocol="DA-z"), "kendall", grouping="ranking"
        )
    with pytest.raises(InputError, match="cover 9 segments, but 'm' has scores for 3"):
        agree(random_scores(random, segments=3), rankings, "kendall-wmt13")
    with pytest.raises(InputError, match="has system scores, not segment scores"):
        align_rankings(ScoreTable("m", "system", ("a",), np.ones((1, 1))), rankings)
    with pytest.raises(InputError, match="'rr' has no segment scores"):
        agree(scores, rankings, "spa")


def test_a_random_metric_gives_an_output_one_score_in_all_rankings():
    """Forty judges of each of nine segments: chance is as in random metrics, which vary more than single rankings."""
    random = np.random.default_rng(4)
    judged = random_rankings(random, rows=360)
    evaluation = GroupedStatistic(KendallWmt("13"), "segment", "ranking", "micro")
    metrics = [ScoreTable("m", "segment", SYSTEMS, random.normal(size=(5, 9))) for _ in range(300)]
    values = [evaluation.evaluate(align_rankings(each, judged)).value for each in metrics]
    paired = align_rankings(metrics[0], judged)
    assert paired.outputs.shape == paired.batch("ranking").mask.shape
    chance = evaluation.chance(paired, 300)
    assert chance.estimate.standard_deviation == pytest.approx(np.std(values), rel=0.2)
    assert chance.value == pytest.approx(np.mean(values), abs=0.02)


@pytest.mark.parametrize("statistic", ["kendall-wmt13", "acc-star"])
def test_more_judges_of_the_same_segments_are_no_more_segments(statistic):
    """Segments are drawn, with all that was said of them: the same said again changes nothing."""
    random = np.random.default_rng(6)
    once, scores = random_rankings(random), random_scores(random)
    again = {name: np.tile(getattr(once, name), 5) for name in ("judge", "segment")}
    often = dataclasses.replace(once, **again, ranks=np.tile(once.ranks, (5, 1)))
    found = [agree(scores, judged, statistic, resamples=60, outliers="keep") for judged in (once, often)]
    assert dataclasses.astuple(found[1].estimate)[0] == pytest.approx(found[0].value)
    assert found[1].interval == pytest.approx(found[0].interval)
    assert [each.segments for each in found] == [9, 9]


def test_the_short_way_to_an_interval_equals_the_long_one():
    random = np.random.default_rng(7)
    evaluation = GroupedStatistic(
        KendallWmt("13"), "segment", "ranking", "micro", IntervalOptions(resamples=30, confidence=0.9)
    )
    paired = align_rankings(random_scores(random), random_rankings(random))
    blocks = Bootstrap(30).blocks(len(paired.resampled_items), runtime=Runtime(threads=1))
    drawn = [paired.resampled_items[np.repeat(np.arange(len(row)), row)] for block in blocks for row in block]
    values = [
        GroupedStatistic(KendallWmt("13"), "segment", "ranking", "micro").evaluate(paired.resample(places)).value
        for places in drawn
    ]
    assert evaluation.evaluate(paired).interval == pytest.approx(np.quantile(values, [0.05, 0.95]))
