from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError
from assay.results import Measure, MetaColumn
from assay.study.agreeing import agree
from assay.study.meta import evaluate_metrics
from assay.types import ScoreTable
from tests.study.campaigns_with_metrics import campaign, human, metric

KEPT, DROPPED = Measure("pearson", "kept"), Measure("pearson", "dropped")


def test_the_table():
    table = evaluate_metrics([campaign(), campaign("en-de")], outliers="both")
    assert sorted(row.metric for row in table) == ["fair-all", "good-refA", "good-refB", "poor-src"]
    assert table.measures == (KEPT, DROPPED)
    assert [pair.label for pair in table.pairs] == ["de-en", "en-de"]
    assert table.pairs[0].outliers.systems == ("far",)
    assert table.pairs[0].systems == ("a", "b", "c", "d", "e", "far")
    assert table.pairs[0].left_out == {"refA": "a reference", "refB": "a reference"}
    for row in table:
        values = [row.agreements[MetaColumn(lp, KEPT)].value for lp in ("de-en", "en-de")]
        assert row.averages[KEPT].value == pytest.approx(np.mean(values))
        assert row.agreements[MetaColumn("de-en", DROPPED)].n == 5
    order = [row.averages[KEPT].value for row in table]
    assert order == sorted(order, reverse=True)


def test_every_number_is_that_of_agree():
    stored = campaign()
    table = evaluate_metrics([stored], outliers="both", draws=30)
    found = table["good-refA"].agreements[MetaColumn("de-en", KEPT)]
    expected = agree(
        stored.find("good", "system", references=("refA",)), human(), exclude=("ref?",), outliers="both", draws=30
    )
    assert found.estimate == expected.estimate
    dropped = table["good-refA"].agreements[MetaColumn("de-en", DROPPED)]
    assert dropped.estimate == expected.without_outliers.estimate
    means = table["poor-src"].agreements[MetaColumn("de-en", KEPT)]
    poor = stored.find("poor", "segment")
    assert means.value == agree(poor, human("segment"), level="system", exclude=("ref?",)).value
    assert means.source == "both as means over the segments that both scored"
    segments = evaluate_metrics([stored], level="segment", statistics=["pearson"], grouping="item")
    assert [row.metric for row in segments] == ["good-refA", "poor-src"]
    found = segments["poor-src"].agreements[MetaColumn("de-en", KEPT)]
    assert found.value == agree(poor, human("segment"), grouping="item", exclude=("ref?",)).value
    assert "de-en: no scores by segment: fair-all, good-refB" in segments.notes


def test_a_metric_never_judges_its_own_reference():
    table = evaluate_metrics([campaign()], keep_references=True)
    systems = {row.metric: set(row.agreements[MetaColumn("de-en", KEPT)].systems) for row in table}
    assert {"refA", "refB"} & systems["good-refA"] == {"refB"}
    assert {"refA", "refB"} & systems["good-refB"] == {"refA"}
    assert {"refA", "refB"} & systems["fair-all"] == set()
    assert {"refA", "refB"} <= systems["poor-src"]
    assert "de-en: left out: refA (the reference it would be scored against): good-refA" in table.notes


def test_incomplete_metrics_come_last():
    other = campaign("en-de", scores=(human(), metric("fair", 5.0, references=("refA", "refB"))))
    table = evaluate_metrics([campaign(), other])
    assert table.metrics[0].metric == "fair-all"
    last = table["good-refA"].averages[KEPT]
    assert math.isnan(last.value)
    assert (last.n, last.reason) == (1, "no value for en-de")
    flat = metric("flat", 0.0, references=())
    constant = ScoreTable("flat", "system", flat.systems, np.ones_like(flat.values))
    table = evaluate_metrics([campaign(scores=(human(), metric("fair", 5.0), constant))])
    assert [row.metric for row in table] == ["fair-refA", "flat-src"]
    assert "do not vary" in table["flat-src"].agreements[MetaColumn("de-en", KEPT)].reason


def test_averages_may_be_pooled():
    few = campaign("en-de", scores=(human(), metric("good", 3.0)))
    options = {"references": ("refA",), "systems": ("a", "b", "c", "d", "e")}
    table = evaluate_metrics([campaign(), few], over_pairs="pooled", outliers="keep", **options)
    values = table["good"].agreements
    weights = [found.weight for found in values.values()]
    assert weights == [5.0, 5.0]
    assert table["good"].averages[KEPT].value == pytest.approx(np.mean([found.value for found in values.values()]))


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_what_is_pooled_from_one_pair_is_its_value(average):
    """With gaps, the mean over segments is not the share of all pairs."""
    gappy = human("segment").values.copy()
    gappy[2:5, :4] = gappy[0, 2] = np.nan
    scores = (dataclasses.replace(human("segment"), values=gappy), metric("fair", 20.0, level="segment"))
    judged = [campaign(lp, scores=scores) for lp in ("de-en", "en-de")]
    options = {"level": "segment", "over_pairs": "pooled", "outliers": "keep", "average": average}
    table = evaluate_metrics(judged[:1], statistics=["acc23", "tau23", "kendall"], **options)
    for row in (*table, *table.yardsticks):
        for column, found in row.agreements.items():
            assert row.averages[column.measure].value == pytest.approx(found.value)
    uneven = [judged[0], campaign("en-de", scores=(human("segment"), scores[1]))]
    accuracy, tau = evaluate_metrics(uneven, statistics=["acc23", "tau23"], **options)["fair-refA"].averages.values()
    assert tau.value == pytest.approx(2 * accuracy.value - 1)


def test_systems_are_chosen_by_patterns_that_match_somewhere():
    other = campaign("en-de", systems=("x", "y", "z"), testset=None, scores=(_people("xyz"), _metric("xyz")))
    table = evaluate_metrics([campaign(), other], exclude=("far", "x"))
    assert [len(pair.systems) for pair in table.pairs] == [5, 2]
    table = evaluate_metrics([campaign(), other], systems=("?",), exclude=("z",))
    assert [pair.systems for pair in table.pairs] == [tuple("abcde"), ("x", "y")]
    table = evaluate_metrics([campaign(), other], systems=("a", "b"))
    assert [pair.label for pair in table.pairs] == ["de-en"]
    assert "en-de: left out of the table: no system is left" in table.notes
    with pytest.raises(UnknownNameError, match="no system matches 'q'"):
        evaluate_metrics([campaign(), other], exclude=("q",))


def _people(names):
    return ScoreTable("da", "system", tuple(names), np.arange(len(names), dtype=float)[:, np.newaxis], protocol="DA")


def _metric(names):
    return ScoreTable("good", "system", tuple(names), np.arange(len(names), dtype=float)[:, np.newaxis])


def test_pairs_without_human_scores_are_told():
    table = evaluate_metrics([campaign(), campaign("en-de", scores=(metric("good", 0.1),))])
    assert [pair.label for pair in table.pairs] == ["de-en"]
    assert "en-de: left out of the table: no human scores 'da'" in table.notes
    by_system = campaign("en-de", scores=(human(), metric("good", 0.1, level="segment")))
    table = evaluate_metrics([campaign(), by_system], level="segment")
    assert "en-de: left out of the table: no human scores 'da' by segment" in table.notes
    with pytest.raises(InputError, match="nothing can be compared"):
        evaluate_metrics([by_system], level="segment")
    with pytest.raises(InputError, match="nothing can be compared"):
        evaluate_metrics([campaign(scores=(human(),))])


def test_scores_by_segment_stand_in_for_human_scores_by_system():
    table = evaluate_metrics([campaign(scores=(human("segment"), metric("good", 0.1)))], outliers="drop")
    found = table["good-refA"].agreements[MetaColumn("de-en", DROPPED)]
    assert (found.n, found.source) == (5, "the metric as given by system, people as means over segments")


def test_own_metrics():
    mine = metric("mine", 0.0, references=())
    table = evaluate_metrics([campaign()], metrics=("chrf",), brought={"de-en": [mine], "fr-en": [mine]})
    assert {"chrf-refA", "mine"} <= {row.metric for row in table}


def test_how_a_metric_was_computed_is_told():
    (note,) = (each for each in evaluate_metrics([campaign()], metrics=["ter"]).notes if "computed as" in each)
    assert note.startswith("de-en: computed as ter|flavour:tercom|")
    assert note.endswith(": ter-refA")
    (turned,) = (each for each in evaluate_metrics([campaign()], metrics=["ter"]).notes if "turned" in each)
    assert turned == "de-en: lower is better, so the scores were turned: ter-refA"
    by_segment = evaluate_metrics([campaign()], metrics=["bleu"], level="segment").notes
    assert any("|effective_order:yes|" in note and note.endswith(": bleu-refA") for note in by_segment)


def test_why_a_value_is_undefined_is_told():
    flat = metric("flat", 0.0, references=())
    flat = replace(flat, values=np.ones_like(flat.values))
    notes = evaluate_metrics([campaign()], brought={"de-en": [flat]}).notes
    assert "de-en: no pearson: the metric or the human scores do not vary: flat" in notes
    assert "de-en: no pearson without outliers: the metric or the human scores do not vary: flat" in notes
    alone = evaluate_metrics([campaign()], systems=["a"], outliers="keep", metrics=["chrf"], references=["refA"]).notes
    assert "de-en: no pearson: there is nothing to compare: no group has two scores" in alone


def test_a_statistic_asked_for_twice_is_computed_once():
    once, twice = (evaluate_metrics([campaign()], statistics=["pearson"] * times) for times in (1, 2))
    assert once.to_dict() == twice.to_dict()


def test_progress():
    seen = []
    evaluate_metrics([campaign()], progress=lambda *told: seen.append(told))
    assert seen[0] == ("de-en: comparing fair-all", 0, 4)
    assert len(seen) == 4


def test_several_test_sets():
    table = evaluate_metrics([campaign(), campaign(name="wmt98")])
    assert [pair.label for pair in table.pairs] == ["wmt99 de-en", "wmt98 de-en"]
    with pytest.raises(NameClashError, match="two test sets 'de-en'"):
        evaluate_metrics([campaign(), campaign()])


def test_the_same_bytes_again():
    documents = [
        json.dumps(
            evaluate_metrics([campaign(), campaign("en-de")], outliers="both", draws=20).to_dict(), allow_nan=False
        )
        for _ in range(2)
    ]
    assert documents[0] == documents[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "word"}, "level cannot be 'word'"),
        ({"outliers": "hide"}, "outliers cannot be 'hide'"),
        ({"over_pairs": "best"}, "over_pairs cannot be 'best'"),
        ({"grouping": "item"}, "grouping by item needs scores by segment"),
        ({"statistics": ["nothing"]}, "unknown statistic 'nothing'"),
        ({"metrics": ["nothing"]}, "unknown metric 'nothing'"),
    ],
)
def test_slips(options, message):
    with pytest.raises(ConfigError, match=message):
        evaluate_metrics([campaign()], **options)


def test_no_pair_that_counts_is_told_as_such():
    table = evaluate_metrics([campaign()], statistics=["pairwise-accuracy", "spa"], significant=1e-300, chance=0)
    (good,) = (row for row in table if row.metric == "good-refA")
    assert {found.reason for found in good.agreements.values()} == {"no pair of systems is among those that count"}


@pytest.mark.parametrize(
    "options",
    [
        {"statistics": ["pearson", "spa", "acc23"], "draws": 20},
        {"level": "segment", "statistics": ["acc-star", "kendall"], "draws": 10},
        {"level": "segment", "grouping": "system", "average": "micro", "draws": 10},
        {"seen_as": "clusters", "test": "paired-t"},
        {"seen_as": "fuzzy-ranks", "test": "paired-t"},
        {"significant": 0.2, "test": "rank-sum", "statistics": ["pairwise-accuracy", "spa"], "draws": 10},
    ],
)
def test_which_way_round_scores_are_does_not_matter(options):
    """Every other table, of people and of metrics, says that lower is better: the same bytes but for the notes."""
    random = np.random.Generator(np.random.PCG64(3))
    names = ("da", "da-col1", "da-col2", "mqm")
    scores = [
        dataclasses.replace(human("segment", name, seed=k), values=gappy(k, random)) for k, name in enumerate(names)
    ]
    scores += [metric("good", 3.0, level="segment"), metric("good", 3.0, seed=4), metric("poor", 9.0, references=())]
    turned = [dataclasses.replace(table, values=-table.values, higher_is_better=False) for table in scores]
    every_other = [pair[k % 2] for k, pair in enumerate(zip(scores, turned, strict=True))]
    found = [
        {**evaluate_metrics([campaign(scores=tables)], gold="da", chance=3, **options).to_dict(), "notes": []}
        for tables in (scores, turned, every_other)
    ]
    assert json.dumps(found[0]) == json.dumps(found[1]) == json.dumps(found[2])


def gappy(seed, random):
    values = human("segment", seed=seed).values.round(1)
    return np.where(random.random(values.shape) < 0.1, np.nan, values)
