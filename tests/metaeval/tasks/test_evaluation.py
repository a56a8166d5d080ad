from __future__ import annotations

import math

import numpy as np
import pytest

from assay import agree
from assay.human.comparisons import comparisons_of, drawn_by
from assay.metaeval.intervals import NO_INTERVALS, IntervalOptions, interval_method
from assay.metaeval.scores_by_level import group_by_level
from assay.metaeval.tasks.definition import PairSettings, Planned, TaskPair
from assay.metaeval.tasks.evaluation import evaluate_task
from assay.results import TaskComponent
from assay.types import Rankings
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import SYSTEMS, campaign, human, metric


def pair(lp="de-en", metrics=None, *, made=None, **settings):
    used = made or campaign(lp)
    tables = metrics or [metric("good", 0.1), metric("good", 0.2, level="segment"), metric("poor", 9.0, seed=3)]
    return TaskPair(lp, PairSettings(**{"gold": "da", **settings}), used, tuple(group_by_level(tables)))


def planned(*lps, label="x", **changes):
    fields = {
        "label": label,
        "lps": lps or ("de-en",),
        "over_pairs": "each",
        "level": "system",
        "statistic": "pearson",
        "grouping": "none",
        "average": "macro",
        "view": "scores",
        "domain": None,
        "human_outputs": False,
        "weight": 1.0,
        "low": -1.0,
        "high": 1.0,
    }
    return Planned(TaskComponent(**fields | changes), counts_pairs=False)


def evaluate(components, *pairs, intervals=NO_INTERVALS, keeps_incomplete=False):
    return evaluate_task(
        [components],
        {each.label: each for each in pairs},
        intervals,
        Runtime(threads=1),
        keeps_incomplete=keeps_incomplete,
    )


def value(evaluation, name="good"):
    ((found,),) = evaluation.tables
    return found.estimates[name].value


def direct(systems):
    return agree(metric("good", 0.1).take(systems), human().take(systems), outliers="keep").value


MT = tuple(name for name in SYSTEMS if not name.startswith("ref"))


def test_references_are_left_out_and_human_outputs_count():
    """A metric with reference A is compared on reference B if that counts as a system; reference A never does."""
    one = pair(human_outputs=("refB",))
    assert value(evaluate([planned(human_outputs=True)], one)) == pytest.approx(direct((*MT, "refB")))
    assert value(evaluate([planned()], one)) == pytest.approx(direct(MT))


def test_outliers_and_excluded_systems():
    found = evaluate([planned()], pair(outliers=("far", "gone"), exclude=("a",)))
    assert value(found) == pytest.approx(direct(("b", "c", "d", "e")))
    (language_pair,) = found.language_pairs
    assert language_pair.left_out["far"] == "an outlier, as the task says"
    assert language_pair.left_out["a"] == "excluded"
    assert "outliers of the task that the data does not have: gone" in "\n".join(map(str, found.notes))
    assert value(evaluate([planned()], pair(outliers="mad"))) == pytest.approx(direct(("a", "b", "c", "d", "e")))


def test_pooled_accuracy_counts_all_pairs_of_systems():
    """15 pairs of systems in one language pair, 10 in the other."""
    pairs = pair("de-en"), pair("en-de", exclude=("a",))
    component = planned("de-en", "en-de", over_pairs="pooled", statistic="pairwise-accuracy", low=0.0)
    found = evaluate([component], *pairs)
    parts = [value(evaluate([planned(each.label, statistic="pairwise-accuracy")], each), "poor") for each in pairs]
    assert value(found, "poor") == pytest.approx((15 * parts[0] + 10 * parts[1]) / 25)
    mean = evaluate([planned("de-en", "en-de", over_pairs="mean", statistic="pairwise-accuracy")], *pairs)
    assert value(mean, "poor") == pytest.approx(sum(parts) / 2)


def test_a_metric_without_a_language_pair():
    pairs = pair("de-en"), pair("en-de", [metric("good", 0.5)])
    component = planned("de-en", "en-de", over_pairs="mean")
    ((strict,),) = evaluate([component], *pairs).tables
    assert set(strict.estimates) == {"good"}
    ((kept,),) = evaluate([component], *pairs, keeps_incomplete=True).tables
    assert kept.estimates["poor"].reason == "1 of 2 language pairs"


def test_what_is_missing():
    pairs = pair("de-en"), TaskPair("en-de", PairSettings("da"), missing="no data of this language pair")
    found = evaluate(
        [
            planned("en-de", label="one"),
            planned("de-en", "en-de", label="two", over_pairs="pooled"),
            planned("de-en", label="three", domain="news"),
            planned("de-en", label="four", level="segment", grouping="item", statistic="kendall"),
        ],
        *pairs,
    )
    assert found.missing[0] == {
        "one": "no data of this language pair",
        "three": "no segments of the domain 'news'",
    }
    assert found.incomplete[0] == {"two": "en-de: no data of this language pair"}
    ((two, four),) = found.tables
    assert (two.component.lps_missing, two.component.describe("lp")) == (("en-de",), "pooled (de-en)")
    assert (two.component.lps, four.component.label) == (("de-en",), "four")
    assert set(four.estimates) == {"good"}  # poor has no segment scores


def test_no_human_scores():
    found = evaluate([planned()], pair(gold="mqm"))
    assert found.missing[0] == {"x": "left out: it has no human scores 'mqm'"}


def ranked(lp, seed):
    """Rankings of four systems, noisy."""
    random = np.random.Generator(np.random.PCG64(seed))
    quality = np.array([1.0, 2.0, 3.0, 4.0]) + random.normal(scale=2.0, size=(60, 4))
    ranks = (-quality).argsort(axis=1).argsort(axis=1).astype(np.int8) + 1
    judge = np.zeros(60, dtype=np.int64)
    rankings = Rankings("rr", ("a", "b", "c", "d"), ("j",), judge, np.repeat(np.arange(6), 10), ranks)
    return campaign(lp, judgements=(rankings,))


def test_intervals_of_averages_come_from_joint_resamples_of_the_judgements():
    pairs = [pair(lp, made=ranked(lp, seed), gold="rr") for seed, lp in enumerate(("de-en", "en-de"))]
    each = [planned(one.label, label=one.label, statistic="spearman") for one in pairs]
    both = planned("de-en", "en-de", label="both", over_pairs="mean", statistic="spearman")
    found = evaluate([*each, both], *pairs, intervals=IntervalOptions(resamples=200))
    ((first, second, average),) = found.tables
    draws = [column.replicates["poor"] for column in (first, second)]
    assert not np.array_equal(*draws)  # as many rankings each, and yet drawn independently
    np.testing.assert_allclose(average.replicates["poor"], np.mean(draws, axis=0))
    estimate = average.estimates["poor"]
    assert (estimate.low, estimate.high) == pytest.approx(np.quantile(np.mean(draws, axis=0), [0.025, 0.975]), abs=0.02)
    assert first.estimates["poor"].low <= first.estimates["poor"].value <= first.estimates["poor"].high


def test_clusters_have_no_interval():
    one = pair(made=ranked("de-en", 1), gold="rr")
    ((found,),) = evaluate([planned(view="clusters")], one, intervals=IntervalOptions(resamples=50)).tables
    assert math.isnan(found.estimates["good"].low)


def test_larger_units_give_wider_intervals():
    """Rankings of a segment agree with each other here, so that drawing segments varies more than drawing pairs."""
    made = ranked("de-en", 1)
    (rankings,) = made.judgements
    same = Rankings(
        "rr", rankings.systems, rankings.judges, rankings.judge, rankings.segment, rankings.ranks[rankings.segment * 10]
    )
    one = pair(made=campaign(judgements=(same,)), gold="rr")
    widths = []
    for unit in ("pair", "ranking", "segment"):
        ((found,),) = evaluate(
            [planned()], one, intervals=IntervalOptions(interval_method.create(f"judgements:unit={unit}"), 300)
        ).tables
        widths.append(np.nanstd(found.replicates["good"]))
    assert widths == sorted(widths)
    assert widths[0] < 0.8 * widths[2]


def test_units_of_comparisons():
    (rankings,) = ranked("de-en", 1).judgements
    comparisons = comparisons_of(rankings)
    counts = [drawn_by(comparisons, unit, rankings.segment).rankings for unit in ("pair", "ranking", "segment")]
    assert counts == [60 * 6, 60, 6]
    for unit in ("pair", "segment"):
        drawn = drawn_by(comparisons, unit, rankings.segment)
        assert [wins.tolist() for wins in drawn.wins(np.ones(drawn.rankings, dtype=np.uint32))] == [
            wins.tolist() for wins in comparisons.wins()
        ]
