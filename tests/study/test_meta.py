from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import AlignmentError, ConfigError, InputError, NameClashError, UnknownNameError
from assay.metaeval import metric_tables
from assay.metaeval.computed_metrics import computed_metrics
from assay.reports import document
from assay.reports.cells import cell_text
from assay.results import Measure, MetaColumn
from assay.study.agree import agree
from assay.study.meta import meta
from assay.study.score import score
from assay.types import Campaign, ErrorSpan, Rankings, Ratings, ScoreTable, TestSet
from assay.types.runtime import Runtime
from assay.version import __version__
from tests.campaigns_with_metrics import QUALITY, SYSTEMS, campaign, human, metric

KEPT, DROPPED = Measure("pearson", "kept"), Measure("pearson", "dropped")


def test_the_table():
    table = meta([campaign(), campaign("en-de")], outliers="both")
    assert sorted(row.metric for row in table) == ["fair-all", "good-refA", "good-refB", "poor-src"]
    assert table.measures == (KEPT, DROPPED)
    assert [pair.lp for pair in table.language_pairs] == ["de-en", "en-de"]
    assert table.language_pairs[0].outliers.systems == ("far",)
    assert table.language_pairs[0].systems == ("a", "b", "c", "d", "e", "far")
    assert table.language_pairs[0].left_out == {"refA": "a reference", "refB": "a reference"}
    for row in table:
        values = [row.agreements[MetaColumn(lp, KEPT)].value for lp in ("de-en", "en-de")]
        assert row.averages[KEPT].value == pytest.approx(np.mean(values))
        assert row.agreements[MetaColumn("de-en", DROPPED)].n == 5
    order = [row.averages[KEPT].value for row in table]
    assert order == sorted(order, reverse=True)


def test_metrics_are_computed_for_selected_and_judged_systems(monkeypatch):
    computed = []

    def computing(testset, *arguments, **options):
        computed.append(testset.systems)
        return computed_metrics(testset, *arguments, **options)

    monkeypatch.setattr(metric_tables, "computed_metrics", computing)
    made = campaign()
    names = (*made.systems, "unjudged")
    texts = {name: tuple(f"word{k} of {name}" for k in range(made.segments)) for name in names}
    references = {name: texts[name] for name in made.references}
    testset = TestSet(outputs=texts, references=references, lp=made.lp, name=made.name)
    made = replace(made, systems=names, testset=testset)
    table = meta([made], metrics="chrf", exclude=["far"], random_metrics=0, resamples=0)
    assert computed == [("a", "b", "c", "d", "e")]
    assert "left out: unjudged (no human score)" in [note.text for note in table.notes]


def test_rows_know_the_name_without_references():
    table = meta([campaign(), campaign("en-de")])
    assert {row.metric: row.without_references for row in table} == {
        "fair-all": "fair", "good-refA": "good", "good-refB": "good", "poor-src": "poor",
    }  # fmt: skip
    assert table["poor"] is table["poor-src"]
    assert table.agreement("fair", lp="en-de", outliers="dropped").n == 5
    with pytest.raises(UnknownNameError, match="'good' has 2 rows"):
        _ = table["good"]


def test_every_number_is_that_of_agree():
    stored = campaign()
    table = meta([stored], outliers="both", resamples=30)
    found = table["good-refA"].agreements[MetaColumn("de-en", KEPT)]
    expected = agree(
        stored.find("good", "system", references=("refA",)), human(), exclude=("ref?",), outliers="both", resamples=30
    )
    assert found.estimate == expected.estimate
    dropped = table["good-refA"].agreements[MetaColumn("de-en", DROPPED)]
    assert dropped.estimate == expected.without_outliers.estimate
    means = table["poor-src"].agreements[MetaColumn("de-en", KEPT)]
    poor = stored.find("poor", "segment")
    assert means.value == agree(poor, human(), exclude=("ref?",)).value  # the human scores of the column are the same
    assert means.source == "means over segments of the metric, system scores of the human scores"
    (common,) = (row for row in meta([stored], cells="common", outliers="keep") if row.metric == "poor-src")
    found = common.agreements[MetaColumn("de-en", KEPT)]
    assert found.value == agree(poor, human("segment"), level="system", exclude=("ref?",)).value
    assert found.source == "means over the segments that both scored"
    segments = meta([stored], level="segment", statistics=["pearson"], grouping="item")
    assert [row.metric for row in segments] == ["good-refA", "poor-src"]
    found = segments["poor-src"].agreements[MetaColumn("de-en", KEPT)]
    assert found.value == agree(poor, human("segment"), grouping="item", exclude=("ref?",)).value
    assert "de-en, fair-all, good-refB: metrics without segment scores are left out" in map(str, segments.notes)


def test_a_reference_is_judged_by_all_metrics_or_by_none():
    def systems(**options):
        table = meta([campaign()], keep_references=True, **options)
        return {row.metric: {"refA", "refB"} & set(row.agreements[MetaColumn("de-en", KEPT)].systems) for row in table}

    assert systems(references=["refA"]) == {"good": {"refB"}, "poor-src": {"refB"}}
    assert systems(metrics=["poor"]) == {"poor-src": {"refA", "refB"}}
    assert set(map(frozenset, systems().values())) == {frozenset()}  # some metric used each of them
    named = meta([campaign()], systems=["?", "ref?", "refB"], references=["refB"])
    assert "refB" not in named.language_pairs[0].systems
    assert "de-en: left out: refB (used as the reference)" in map(str, named.notes)


def test_incomplete_metrics_come_last():
    other = campaign("en-de", scores=(human(), metric("fair", 5.0, references=("refA", "refB"))))
    table = meta([campaign(), other])
    assert table.metrics[0].metric == "fair-all"
    last = table["good-refA"].averages[KEPT]
    assert math.isnan(last.value)
    assert (last.n, last.reason) == (1, "no value for en-de")
    flat = metric("flat", 0.0, references=())
    constant = ScoreTable("flat", "system", flat.systems, np.ones_like(flat.values))
    table = meta([campaign(scores=(human(), metric("fair", 5.0), constant))])
    assert [row.metric for row in table] == ["fair-refA", "flat-src"]
    assert "are constant" in table["flat-src"].agreements[MetaColumn("de-en", KEPT)].reason


def test_averages_may_be_pooled():
    few = campaign("en-de", scores=(human(), metric("good", 3.0)))
    options = {"references": ("refA",), "systems": ("a", "b", "c", "d", "e")}
    table = meta([campaign(), few], over_pairs="pooled", outliers="keep", **options)
    values = table["good"].agreements
    weights = [found.weight for found in values.values()]
    assert weights == [5.0, 5.0]
    assert table["good"].averages[KEPT].value == pytest.approx(np.mean([found.value for found in values.values()]))


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_pooling_a_pair_with_itself_gives_its_value(average):
    """With gaps, the mean over segments is not the share of all pairs."""
    gappy = human("segment").values.copy()
    gappy[2:5, :4] = gappy[0, 2] = np.nan
    scores = (dataclasses.replace(human("segment"), values=gappy), metric("fair", 20.0, level="segment"))
    judged = [campaign(lp, scores=scores) for lp in ("de-en", "en-de")]
    options = {"level": "segment", "over_pairs": "pooled", "outliers": "keep", "average": average}
    table = meta(judged, statistics=["acc23", "tau23", "kendall"], **options)
    for row in (*table, *table.baselines):
        for column, found in row.agreements.items():
            assert row.averages[column.measure].value == pytest.approx(found.value)
    uneven = [judged[0], campaign("en-de", scores=(human("segment"), scores[1]))]
    accuracy, tau = meta(uneven, statistics=["acc23", "tau23"], **options)["fair-refA"].averages.values()
    assert tau.value == pytest.approx(2 * accuracy.value - 1)


def test_systems_are_chosen_by_patterns_that_match_somewhere():
    other = campaign("en-de", systems=("x", "y", "z"), testset=None, scores=(_people("xyz"), _metric("xyz")))
    table = meta([campaign(), other], exclude=("far", "x"))
    assert [len(pair.systems) for pair in table.language_pairs] == [5, 2]
    table = meta([campaign(), other], systems=("?",), exclude=("z",))
    assert [pair.systems for pair in table.language_pairs] == [tuple("abcde"), ("x", "y")]
    table = meta([campaign(), other], systems=("a", "b"))
    assert [pair.lp for pair in table.language_pairs] == ["de-en"]
    assert "en-de: left out: no system is left" in map(str, table.notes)
    with pytest.raises(UnknownNameError, match="no system matches 'q'"):
        meta([campaign(), other], exclude=("q",))


def _people(names):
    return ScoreTable("da", "system", tuple(names), np.arange(len(names), dtype=float)[:, np.newaxis], protocol="DA")


def _metric(names):
    return ScoreTable("good", "system", tuple(names), np.arange(len(names), dtype=float)[:, np.newaxis])


def test_pairs_without_human_scores_are_noted():
    table = meta([campaign(), campaign("en-de", scores=(metric("good", 0.1),))])
    assert [pair.lp for pair in table.language_pairs] == ["de-en"]
    assert "en-de: left out: it has no human scores 'da'" in map(str, table.notes)
    by_system = campaign("en-de", scores=(human(), metric("good", 0.1, level="segment")))
    table = meta([campaign(), by_system], level="segment")
    assert "en-de: left out: it has no human segment scores 'da'" in map(str, table.notes)
    with pytest.raises(InputError, match="no language pair can be evaluated"):
        meta([by_system], level="segment")
    with pytest.raises(InputError, match="no language pair can be evaluated"):
        meta([campaign(scores=(human(),))])


def test_scores_by_segment_stand_in_for_human_scores_by_system():
    table = meta([campaign(scores=(human("segment"), metric("good", 0.1)))], outliers="drop")
    found = table["good-refA"].agreements[MetaColumn("de-en", DROPPED)]
    assert (found.n, found.source) == (5, "system scores of the metric, means over segments of the human scores")


def test_own_metrics():
    mine = metric("mine", 0.0, references=())
    table = meta([campaign()], metrics=("chrf",), external={"de-en": [mine], "fr-en": [mine]})
    assert {"chrf-refA", "mine"} <= {row.metric for row in table}


def test_how_a_metric_was_computed_is_noted():
    notes = [str(note) for note in meta([campaign()], metrics=["ter"]).notes]
    assert any(note.startswith("de-en, ter: computed as ter|flavour:tercom|") for note in notes)
    assert "de-en, ter-refA: lower is better, so the scores were negated" in notes
    by_segment = map(str, meta([campaign()], metrics=["bleu"], level="segment").notes)
    assert any(note.startswith("de-en, bleu: computed as ") and "|effective_order:yes|" in note for note in by_segment)


def test_why_a_value_is_undefined_is_noted():
    flat = metric("flat", 0.0, references=())
    flat = replace(flat, values=np.ones_like(flat.values))
    notes = [str(note) for note in meta([campaign()], external={"de-en": [flat]}).notes]
    assert "de-en, flat: no pearson: the metric or the human scores are constant" in notes
    assert "de-en, flat: no pearson without outliers: the metric or the human scores are constant" in notes
    alone = meta([campaign()], systems=["a"], outliers="keep", metrics=["chrf"], references=["refA"]).notes
    assert "de-en: no pearson: no group has two scores to compare" in map(str, alone)


def test_a_repeated_statistic_is_computed_once():
    once, twice = (meta([campaign()], statistics=["pearson"] * times) for times in (1, 2))
    assert once.to_dict() == twice.to_dict()


def test_progress():
    seen = []
    meta([campaign()], runtime=Runtime(progress=lambda *step: seen.append(step)))
    assert seen[0] == ("de-en: evaluating fair-all", 0, 4)
    assert seen[-1] == ("de-en: evaluating poor-src", 4, 4)


def test_several_test_sets():
    table = meta([campaign(), campaign(name="wmt98")])
    assert [pair.lp for pair in table.language_pairs] == ["wmt99 de-en", "wmt98 de-en"]
    with pytest.raises(NameClashError, match="two test sets called 'de-en'"):
        meta([campaign(), campaign()])


def test_the_same_bytes_again():
    documents = [
        json.dumps(meta([campaign(), campaign("en-de")], outliers="both", resamples=20).to_dict(), allow_nan=False)
        for _ in range(2)
    ]
    assert documents[0] == documents[1]


@pytest.mark.parametrize("has_system_scores", [True, False])
@pytest.mark.parametrize("agg", ["corpus", "segment", "bootstrap"])
def test_the_aggregation_does_not_depend_on_the_human_files(agg, has_system_scores):
    """The value is that of `assay.score`, whether people were stored by system or only by segment."""
    judged = campaign(scores=(human(),) * has_system_scores + (human("segment"),))
    table = meta([judged], metrics=["bleu:tok=char"], agg=agg, outliers="keep")
    (row,) = table
    prefix = {"corpus": "", "segment": "m-", "bootstrap": "x-"}[agg]
    assert row.metric == f"{prefix}bleu:tok=char-refA"
    run = score(judged.select_texts(references=["refA"]), "bleu:tok=char", agg=agg)
    scores = run.metrics["bleu:tok=char"].aggregations[agg]
    (agreement,) = row.agreements.values()
    people = judged.human[0].take(agreement.systems).values.mean(axis=1)
    expected = np.corrcoef([scores[name] for name in agreement.systems], people)[0, 1]
    assert agreement.value == pytest.approx(expected, abs=1e-12)
    assert table.settings["agg"] == agg
    signature = next(str(note) for note in table.notes if note.where.endswith("bleu:tok=char"))
    assert f"|agg:{agg}|" in signature
    assert ("|resamples:1000|size:all|seed:12345|" in signature) == (agg == "bootstrap")


def test_several_aggregations_are_several_rows():
    table = meta([campaign()], metrics=["bleu", "chrf"], agg="corpus,segment,bootstrap", size=4, references=["refA"])
    names = {f"{prefix}{name}" for prefix in ("", "m-", "x-") for name in ("bleu", "chrf")}
    assert names <= {row.metric for row in table}
    assert "|agg:corpus+segment+bootstrap|size:4" in table.signature
    assert any("|agg:bootstrap|resamples:1000|size:4|" in note.text for note in table.notes)
    by_segment = meta([campaign()], metrics=["bleu"], statistics=["spa"]).notes
    assert any(note.text.startswith("statistics of segment scores use those computed as") for note in by_segment)


def gappy_campaign():
    """People judged half of the segments."""
    values = human("segment").values.copy()
    values[:, 3:] = np.nan
    judged = replace(human("segment"), values=values)
    return campaign(scores=(judged, metric("good", 3.0), metric("good", 3.0, level="segment")))


def test_cells_are_stored_or_common():
    judged = gappy_campaign()
    found = {
        cells: meta([judged], metrics=["good", "bleu:tok=char"], agg="corpus", cells=cells, outliers="keep")
        for cells in ("stored", "common")
    }
    stored, common = (
        {row.metric: row.agreements[MetaColumn("de-en", KEPT)] for row in table} for table in found.values()
    )
    systems, name = stored["good-refA"].systems, "bleu:tok=char-refA"
    people = judged.human[0].take(systems).values[:, :3].mean(axis=1)
    as_stored = judged.find("good", "system").take(systems).values[:, 0]
    means = judged.find("good", "segment").take(systems).values[:, :3].mean(axis=1)
    assert stored["good-refA"].value == pytest.approx(np.corrcoef(as_stored, people)[0, 1])
    assert common["good-refA"].value == pytest.approx(np.corrcoef(means, people)[0, 1])
    texts = judged.select_texts(references=["refA"])
    for agreement, testset in ((stored[name], texts), (common[name], texts.take(np.arange(3)))):
        scores = score(testset, "bleu:tok=char", agg="corpus").metrics["bleu:tok=char"].corpus
        assert agreement.value == pytest.approx(np.corrcoef([scores[each] for each in systems], people)[0, 1])
    assert common[name].details["cells"] == "18"
    text = "de-en: human scores cover 18 of the 36 outputs behind system scores of metrics"
    assert any(str(note).startswith(text) for note in found["stored"].notes)
    assert not any(str(note).startswith(text) for note in found["common"].notes)
    assert (found["stored"].settings.get("cells"), found["common"].settings["cells"]) == (None, "common")
    unknown = meta([campaign(scores=(human(), metric("good", 1.0)))], cells="common")
    assert any("not on common cells" in str(note) for note in unknown.notes)


def test_by_domain_keeps_the_aggregation():
    table = meta([with_domains()], metrics=["bleu:tok=char"], agg="corpus", by_domain=True, outliers="keep")
    agreement = table["bleu:tok=char-refA"].agreements[MetaColumn("de-en", Measure("pearson", "kept", "chat"))]
    texts = campaign().select_texts(references=["refA"]).take(np.array([4, 5]))
    scores = score(texts, "bleu:tok=char", agg="corpus").metrics["bleu:tok=char"].corpus
    people = human("segment").take(agreement.systems).values[:, 4:].mean(axis=1)
    assert agreement.value == pytest.approx(np.corrcoef([scores[name] for name in agreement.systems], people)[0, 1])


def test_metrics_meet_in_one_row_where_references_have_other_names():
    other = ("a", "b", "c", "d", "e", "far", "refC", "refD")
    renamed = campaign("en-de", references=("refC", "refD"), systems=other, testset=None, scores=())
    scores = (human(), metric("good", 0.1, references=("refC",)), metric("good", 0.2, references=("refD",)))
    renamed = replace(renamed, scores=tuple(replace(each, systems=other) for each in scores))
    table = meta([campaign(), renamed], random_metrics=0)
    assert {row.metric for row in table} == {"good", "good-refB", "good-refD", "fair-all", "poor-src"}
    assert table["good"].averages[KEPT].n == 2
    assert not math.isnan(table["good"].averages[KEPT].value)
    notes = [str(note) for note in table.notes]
    assert "de-en: metrics without a reference in their name used refA" in notes
    assert "en-de: metrics without a reference in their name used refC" in notes
    same = meta([campaign(), campaign("en-de")], random_metrics=0)
    assert "good-refA" in {row.metric for row in same}


def test_all_references():
    table = meta([campaign()], references=["all"], metrics=["*", "bleu:tok=char"])
    assert sorted(row.metric for row in table) == ["bleu:tok=char", "fair", "poor-src"]
    run = score(campaign().select_texts(), "bleu:tok=char", agg="corpus")
    assert run.metrics["bleu:tok=char"].signature.references == "2"
    assert any("|refs:2|" in note.text for note in table.notes)
    single = campaign("en-de", references=("refA",), scores=(human(), metric("fair", 2.0)))
    averaged = meta([campaign(), single], references=["all"])["fair"].averages[KEPT]
    assert averaged.n == 2


def test_tied_metrics_share_a_rank():
    scores = (human(), metric("a", 1.0), metric("b", 1.0), metric("c", 5.0))
    table = meta([campaign(scores=scores)])
    assert [row.rank for row in table] == [1, 1, 3]
    assert [row["rank"] for row in table.to_dict()["metrics"]] == [1, 1, 3]
    assert {row["metric"]: row["rank"] for row in table.rows() if row["rank"]} == {
        "a-refA": 1,
        "b-refA": 1,
        "c-refA": 3,
    }


def test_other_human_scores_say_what_they_rest_on():
    values = human("segment", name="mqm", seed=3).values.copy()
    values[:, 2:] = np.nan
    judged = campaign(scores=(*campaign().scores, replace(human("segment", name="mqm"), values=values)))
    table = meta([judged], gold="da", level="segment", statistics=["acc23"])
    assert table["human: mqm"].agreements[MetaColumn("de-en", Measure("acc23", "kept"))].details["cells"] == "12"
    assert "de-en: 'human: mqm' rests on 12 outputs, most metrics on 36" in map(str, table.notes)


def test_thresholds_and_errors_are_in_the_rows():
    table = meta([campaign()], level="segment", statistics=["acc-star"], random_metrics=0)
    epsilons = [row["epsilon"] for row in table.rows() if row["lp"]]
    assert all(epsilon >= 0 for epsilon in epsilons)
    given = meta([campaign()], level="segment", statistics=["acc-star:epsilon=0.5"], random_metrics=0)
    assert {row["epsilon"] for row in given.rows() if row["lp"]} == {0.5}
    plain = meta([campaign()], level="segment", statistics=["acc23:epsilon=0.5"], random_metrics=0)
    assert [row["value"] for row in given.rows()] == [row["value"] for row in plain.rows()]
    spa = meta([campaign()], statistics=["spa"], random_metrics=0)
    assert all(0 < row["monte_carlo_error"] < 0.1 for row in spa.rows() if row["lp"] and row["value"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cutoff": 3.0, "outliers": "keep"}, "cutoff has no effect"),
        ({"over_pairs": "pooled"}, "over_pairs has no effect"),
        ({"agg": "corpus"}, "agg has no effect"),
        ({"agg": "corpus", "metrics": ["good*"]}, "agg has no effect"),
        ({"agg": "corpus", "metrics": ["bleu"], "level": "segment"}, "agg has no effect"),
        ({"size": 5}, "size has no effect without the bootstrap aggregation"),
        ({"agg": "median", "metrics": ["bleu"]}, "unknown aggregation 'median'"),
        ({"cells": "common", "level": "segment"}, "cells has no effect"),
        ({"cells": "all"}, "unknown cells 'all'"),
        ({"level": "word"}, "unknown level 'word'"),
        ({"outliers": "hide"}, "unknown outliers 'hide'"),
        ({"over_pairs": "best"}, "unknown over_pairs 'best'"),
        ({"grouping": "item"}, "grouping by item needs segment scores"),
        ({"statistics": ["nothing"]}, "unknown statistic 'nothing'"),
        ({"metrics": ["nothing"]}, "unknown metric 'nothing'"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ConfigError, match=message):
        meta([campaign()], **options)


def test_no_pair_counts():
    table = meta([campaign()], statistics=["pairwise-accuracy", "spa"], significant=1e-300, random_metrics=0)
    (good,) = (row for row in table if row.metric == "good-refA")
    assert {found.reason for found in good.agreements.values()} == {"no pair of systems counts"}


@pytest.mark.parametrize(
    "options",
    [
        {"statistics": ["pearson", "spa", "acc23"], "resamples": 20},
        {"level": "segment", "statistics": ["acc-star", "kendall"], "resamples": 10},
        {"level": "segment", "grouping": "system", "average": "micro", "resamples": 10},
        {"view": "clusters", "test": "paired-t"},
        {"view": "fuzzy-ranks", "test": "paired-t"},
        {"significant": 0.2, "test": "rank-sum", "statistics": ["pairwise-accuracy", "spa"], "resamples": 10},
    ],
)
def test_the_direction_of_scores_does_not_matter(options):
    """Every other table, of people and of metrics, says that lower is better: the same bytes but for the notes."""
    random = np.random.Generator(np.random.PCG64(3))
    names = ("da", "da-col1", "da-col2", "mqm")
    scores = [
        dataclasses.replace(human("segment", name, seed=k), values=gappy(k, random)) for k, name in enumerate(names)
    ]
    scores += [metric("good", 3.0, level="segment"), metric("good", 3.0, seed=4), metric("poor", 9.0, references=())]
    scores = [dataclasses.replace(table, protocol=table.protocol and "DA-z") for table in scores]  # without a scale
    turned = [dataclasses.replace(table, values=-table.values, higher_is_better=False) for table in scores]
    every_other = [pair[k % 2] for k, pair in enumerate(zip(scores, turned, strict=True))]
    found = [
        {**meta([campaign(scores=tables)], gold="da", random_metrics=3, **options).to_dict(), "notes": []}
        for tables in (scores, turned, every_other)
    ]
    assert json.dumps(found[0]) == json.dumps(found[1]) == json.dumps(found[2])


def gappy(seed, random):
    values = human("segment", seed=seed).values.round(1)
    return np.where(random.random(values.shape) < 0.1, np.nan, values)


DOMAINS = ("news", "news", "news", "news", "chat", "chat")


def partly_judged(*others):
    """People judged half of the segments; the metric `one` is stored at both levels, `two` without system scores."""
    judged = human("segment").values.copy()
    judged[:, [2, 3, 5]] = np.nan
    judged[1, 0] = np.nan
    segments = metric("one", 3.0, level="segment")
    own = replace(segments, level="system", values=segments.values.mean(axis=1, keepdims=True))
    return replace(human("segment"), values=judged), own, segments, replace(segments, name="two"), *others


def test_a_column_has_system_scores_of_one_kind():
    """The same segment scores with and without a file of system scores: the same metric, so the same value."""
    table = meta([campaign(scores=partly_judged())], outliers="keep", resamples=0)
    one, two = (table[name].agreements[MetaColumn("de-en", KEPT)] for name in ("one-refA", "two-refA"))
    assert one.value == pytest.approx(two.value, abs=1e-12)
    assert one.source == "system scores of the metric, means over segments of the human scores"
    assert two.source == "means over all segments that each side scored"
    notes = [str(note) for note in table.notes]
    assert "de-en, two-refA: system scores: means over all segments that each side scored" in notes
    assert any(note.startswith("de-en: human scores cover 17 of the 36 outputs behind system scores") for note in notes)
    common = meta([campaign(scores=partly_judged())], outliers="keep", resamples=0, cells="common")
    values = {row.metric: row.average.value for row in common}
    assert values["one-refA"] == values["two-refA"] != one.value


def domain_scores(name, news, chat, **changes):
    return ScoreTable(
        name, "domain", SYSTEMS, np.stack([chat, news], axis=1), items=("chat", "news"), references=("refA",), **changes
    )


def test_stored_scores_of_domains_are_used():
    random = np.random.Generator(np.random.PCG64(4))
    news, chat, judged_news, judged_chat = random.normal(size=(4, len(SYSTEMS)))
    stored = domain_scores("one", news, chat)
    people = replace(domain_scores("da", 50 + judged_news, 50 + judged_chat, protocol="DA"), references=())
    only = (metric("only", 1.0), replace(stored, name="only"))
    judged = with_domains(scores=partly_judged(stored, people, *only))
    table = meta([judged], gold="da", by_domain=True, outliers="keep", resamples=0, random_metrics=0)
    kept = slice(0, 6)
    for domain, values, scores in (("news", news, judged_news), ("chat", chat, judged_chat)):
        expected = np.corrcoef(values[kept], scores[kept])[0, 1]
        for name in ("one-refA", "only-refA"):
            assert table.agreement(name, domain=domain).value == pytest.approx(expected, abs=1e-12), (name, domain)
        means = judged.find("two", "segment").values[:, np.array(DOMAINS) == domain]
        expected = np.corrcoef(means.mean(axis=1)[kept], scores[kept])[0, 1]
        assert table.agreement("two-refA", domain=domain).value == pytest.approx(expected, abs=1e-12)
    common = meta([judged], gold="da", by_domain=True, outliers="keep", resamples=0, cells="common", random_metrics=0)
    assert any(note.text.startswith("stored scores of domains are not used") for note in common.notes)
    assert any(note.text.startswith("metrics without scores of segments or domains") for note in common.notes)


def test_system_scores_that_are_no_means_are_named_beside_values_by_domain():
    judged = with_domains(scores=partly_judged(metric("corpus", 5.0), metric("corpus", 5.0, level="segment", seed=2)))
    table = meta([judged], gold="da", by_domain=True, outliers="keep", resamples=0, random_metrics=0)
    text = "stored system scores on the language pair, but means of segment scores by domain"
    (note,) = (note for note in table.notes if note.text.startswith(text))
    assert note.where == "de-en, corpus-refA"


def with_domains(**changes):
    plain = campaign(**changes)
    return dataclasses.replace(plain, testset=dataclasses.replace(plain.testset, domains=DOMAINS))


@pytest.mark.parametrize("level", ["system", "segment"])
def test_by_domain_is_the_agreement_on_the_segments_of_the_domain(level):
    judged = with_domains()
    table = meta([judged], level=level, by_domain=True, outliers="both", statistics=["pearson"], random_metrics=3)
    assert table.settings["by_domain"] == "yes"
    plain = meta([judged], level=level, outliers="both", statistics=["pearson"], random_metrics=3)
    for row in plain:
        for column, found in row.agreements.items():
            assert table[row.metric].agreements[column].estimate == found.estimate
    assert {measure.domain for measure in table.measures} == {None, "news", "chat"}
    found = table["poor-src"].agreements[MetaColumn("de-en", Measure("pearson", "dropped", "chat"))]
    assert (found.settings["domain"], found.segments) == ("chat", 2)
    chat = [replace(each, values=each.values[:, 4:]) for each in (judged.find("poor", "segment"), human("segment"))]
    grouping = "none" if level == "system" else "item"
    options = {"level": level, "exclude": ("ref?", "far"), "outliers": "keep", "grouping": grouping}
    assert found.value == agree(*chat, **options).value
    without = "de-en, fair-all, good-refB: metrics without scores of segments or domains have no values by domain"
    assert (without in map(str, table.notes)) == (level == "system")
    assert any(measure.domain == "chat" for _, measure in table["random metric"].agreements)
    rows = [row for row in table.rows() if row["metric"] == "poor-src" and row["lp"]]
    assert [(row["outliers"], row["domain"]) for row in rows] == [
        (kind, domain) for domain in (None, "news", "chat") for kind in ("kept", "dropped")
    ]


def test_by_domain_of_rankings():
    systems = tuple("abcdef")
    ranks = np.array([[1, 2, 3, 4, 5, 6]] * 4 + [[6, 5, 4, 3, 2, 1]] * 2)
    rankings = Rankings("rr", systems, ("j",), np.zeros(6), np.arange(6), ranks)
    scores = (ScoreTable("good", "segment", systems, np.tile(np.arange(6.0, 0.0, -1.0)[:, np.newaxis], 6)),)
    texts = TestSet(dict.fromkeys(systems, ("t",) * 6), domains=DOMAINS)
    judged = Campaign("wmt98", "de-en", 6, systems, (), texts, scores, (rankings,))
    for level, statistic in (("system", "pearson"), ("segment", "kendall-wmt13")):
        table = meta([judged], level=level, by_domain=True, outliers="keep", random_metrics=0)
        values = {c.measure.domain: a.value for c, a in table["good-src"].agreements.items()}
        assert (values["news"], values["chat"]) == (pytest.approx(1), pytest.approx(-1))
        assert table.measures[0].statistic == statistic


def test_by_domain_needs_domains():
    with pytest.raises(ConfigError, match="by_domain has no effect"):
        meta([campaign()], by_domain=True)
    with pytest.raises(ConfigError, match="clusters are those of all segments"):
        meta([with_domains()], by_domain=True, view="clusters")
    table = meta([with_domains(), campaign("en-de")], by_domain=True)
    assert "en-de: no values by domain: the segments have no domains" in map(str, table.notes)


def test_over_domains():
    judged = with_domains()
    table = meta([judged], over_domains="mean", outliers="keep")
    assert table.settings["over_domains"] == "mean"
    found = table["poor-src"].agreements[MetaColumn("de-en", KEPT)]
    means = [
        np.mean([each.take("abcde").values[:, :4].mean(1), each.take("abcde").values[:, 4:].mean(1)], axis=0)
        for each in (judged.find("poor", "segment"), human("segment"))
    ]
    without_far = meta([judged], over_domains="mean", outliers="keep", exclude=["far"])
    value = without_far["poor-src"].agreements[MetaColumn("de-en", KEPT)].value
    assert value == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found.source == "means of domain means over the segments that both scored"
    with pytest.raises(InputError, match="no language pair") as caught:
        meta([campaign(scores=(human(), metric("good", 1.0)))], over_domains="mean")
    assert "no human segment scores 'da'" in caught.value.hint
    with pytest.raises(InputError, match="has no domains"):
        meta([campaign()], over_domains="mean")


def test_segments_are_matched_by_name():
    """The test set names its segments; external scores are of some of them, in another order."""
    plain = campaign()
    judged = dataclasses.replace(plain, testset=dataclasses.replace(plain.testset, items=tuple("uvwxyz")))
    mine = dataclasses.replace(metric("mine", 3.0, level="segment"), items=tuple("zyxwvu"))
    mine = replace(mine, values=mine.values[:, ::-1])
    found = meta([judged], level="segment", external={"de-en": [mine]})["mine"]
    by_number = {"de-en": [metric("mine", 3.0, level="segment")]}
    assert found.averages == meta([plain], level="segment", external=by_number)["mine"].averages
    with pytest.raises(AlignmentError, match="'mine' has scores of named segments, but 'da' of numbered ones"):
        meta([plain], level="segment", external={"de-en": [mine]})


def test_ratings_of_named_items():
    systems = tuple("abc")
    system, item = (grid.ravel() for grid in np.meshgrid(range(3), range(4), indexing="ij"))
    ratings = Ratings(
        "esa", "ESA", ("r",), systems, np.zeros(12), system, item, system * 10.0 + item, items=tuple("wxyz")
    )
    judged = Campaign("wmt25", "en-de", 0, systems, (), None, judgements=(ratings,))
    mine = ScoreTable("mine", "segment", systems, np.array([[1.0, 2], [3, 4], [5, 6]]), items=("z", "x"))
    table = meta([judged], level="segment", external={"en-de": [mine]}, outliers="keep")
    (found,) = table["mine"].agreements.values()
    assert (found.value, found.n, found.groups) == (1.0, 6, 2)
    assert "en-de: the metric has no scores for 2 of 4 segments with human scores" in map(str, table.notes)
    assert "random metric" in {row.metric for row in table.baselines}


def test_the_signature_names_every_choice():
    mine = replace(metric("mine", 0.0, references=()), higher_is_better=False)
    table = meta(
        [campaign()],
        systems=["?", "ref?"],
        exclude=["a"],
        keep_references=True,
        metrics=["chrf"],
        references=["refA"],
        external={"de-en": [mine]},
        random_metrics=5,
        statistics=["kendall"],
        significant=0.05,
        resamples=0,
    )
    assert table.signature == (
        "statistic:kendall|data:wmt99|lp:de-en|gold:da|significant:0.05|level:system|grouping:none|average:macro|random_metrics:5|test:rank-sum|"
        "over_pairs:mean|outliers:both|cutoff:2.5|systems:?+ref?|exclude:a|references:refA|metrics:chrf|"
        "scores:mine@587896b9|lower_is_better:mine|keep_references:yes|version:" + __version__
    )
    assert "test:" not in meta([campaign()]).signature
    with pytest.raises(ConfigError, match="seed has no effect"):
        meta([campaign()], statistics=["kendall"], significant=0.05, seed=3, resamples=0)


def test_the_test_of_the_signature_is_the_one_that_was_made():
    scores = campaign().scores
    esa = campaign("en-de", scores=tuple(replace(t, protocol="ESA") if t.is_human else t for t in scores))
    tested = meta([campaign(), esa], statistics=["kendall"], significant=0.05)
    assert tested.settings["test"] == "rank-sum+randomisation"


def test_options_for_ratings():
    system, segment = (grid.ravel() for grid in np.meshgrid(range(6), range(6), indexing="ij"))
    error = ErrorSpan("fluency/punctuation", "minor")
    errors = tuple((error,) * (1 + k) for k in system)
    scores = np.full(36, np.nan)
    ratings = Ratings("mqm", "MQM", ("r",), tuple("abcdef"), np.zeros(36), system, segment, scores, errors=errors)
    systems = tuple("abcdef")
    stored = (ScoreTable("good", "system", systems, -np.arange(6.0)[:, np.newaxis]),)
    judged = Campaign("wmt25", "en-de", 6, systems, (), None, stored, (ratings,))
    table = meta([judged], outliers="keep")
    assert table.settings["weights"] == "google2020"
    assert table["good-src"].averages[KEPT].value == pytest.approx(1)
    assert meta([judged], weights={"minor": 1.0}).settings["weights"].startswith("sha256-")
    with pytest.raises(ConfigError, match="standardise has no effect on 'mqm'"):
        meta([judged], standardise="sample")
    for option in ({"weights": "wmt22"}, {"standardise": "sample"}, {"quality": 0.05}):
        with pytest.raises(ConfigError, match="has no effect on 'da'"):
            meta([campaign()], **option)


def test_the_seed_reaches_the_test():
    scores = tuple(replace(table, protocol="MQM") if table.is_human else table for table in campaign().scores)
    options = {"gold": "da", "statistics": ["pairwise-accuracy"], "significant": 0.05}
    judged = campaign(scores=tuple(replace(t, values=-abs(t.values)) if t.is_human else t for t in scores))
    assert "|test:randomisation|" in meta([judged], **options).signature
    assert "test:randomisation:seed=3|" in meta([judged], seed=3, **options).signature
    with pytest.raises(ConfigError, match="seed has no effect"):
        meta([judged], seed=3, test="rank-sum", resamples=0, **options)


def test_clusters_of_means_of_domain_means():
    """Once the segment scores of metrics had no domains to average over."""
    table = meta([with_domains()], view="clusters", over_domains="mean", test="rank-sum")
    assert "over_domains:mean" in table.signature


def test_every_value_and_average_has_an_interval_unasked():
    table = meta([campaign(), campaign("en-de")], statistics=["pearson", "acc23"], outliers="keep")
    assert table.settings["ci"] == "fisher+systems"
    tree = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    for row in tree["metrics"]:
        for each in (*row["values"], *row["averages"]):
            if each["value"] == 1:
                assert each["reason"] == "no interval: every resample has the same value"
            else:
                assert each["low"] < each["value"] < each["high"]
            expected = ("fisher", 0, None) if each["statistic"] == "pearson" else ("systems", 300, 12345)
            assert (each["ci"]["method"], each["ci"]["resamples"], each["ci"]["seed"]) == expected
            assert each["ci"]["n"] == (6 if "lp" in each else 12)
    assert {row["ci"] for row in table.rows() if row["metric"] != "random metric"} == {"fisher", "systems"}
    assert "|ci:fisher|confidence:0.95" in table.signature_of("pearson")
    assert "|ci:systems|resamples:300|seed:12345|confidence:0.95" in table.signature_of("acc23")
    for options in ({"resamples": 0}, {"ci": "none"}):
        plain = meta([campaign(), campaign("en-de")], statistics=["pearson", "acc23"], outliers="keep", **options)
        assert "ci" not in plain.settings
        assert all(row["low"] is None for row in plain.rows())
        values = [[row[name] for name in ("metric", "lp", "value", "rank")] for row in plain.rows()]
        assert values == [[row[name] for name in ("metric", "lp", "value", "rank")] for row in table.rows()]


def test_documents_of_the_test_set_are_drawn():
    plain = campaign(scores=(human("segment"), metric("good", 0.5, level="segment")))
    judged = replace(plain, testset=replace(plain.testset, documents=("x", "x", "y", "y", "z", "z")))
    for level in ("segment", "system"):
        table = meta([judged], level=level, ci="documents", outliers="keep")
        (found,) = table["good-refA"].agreements.values()
        assert (found.estimate.basis.method, found.estimate.basis.n) == ("documents", 3)
        assert table.settings["ci"] == "documents"
    (found,) = meta([plain], level="segment", ci="documents", outliers="keep")["good-refA"].agreements.values()
    assert found.reason == "no interval: the segments have no documents"


def test_every_statistic_has_ranks_of_its_own():
    random = np.random.Generator(np.random.PCG64(3))
    order = ScoreTable("order", "system", SYSTEMS, np.exp(QUALITY / 5)[:, np.newaxis])
    line = ScoreTable("line", "system", SYSTEMS, (QUALITY + 2 * random.normal(size=len(SYSTEMS)))[:, np.newaxis])
    judged = ScoreTable("da", "system", SYSTEMS, 45 + QUALITY[:, np.newaxis], protocol="DA")
    table = meta([campaign(scores=(judged, order, line))], statistics=["pearson", "spearman"], outliers="keep")
    assert [row.metric for row in table] == ["line-src", "order-src"]
    assert [row.metric for row in table.by_statistic("spearman")] == ["order-src", "line-src"]
    assert table["order-src"].ranks == {"pearson": 2, "spearman": 1}
    assert table["order-src"].rank == 2
    ranks = {(row["metric"], row["statistic"]): row["rank"] for row in table.rows() if row["lp"]}
    assert ranks["order-src", "spearman"] == ranks["line-src", "pearson"] == 1
    first, second = (section.grids[0] for section in document(table).sections)
    for grid, names in ((first, ["line-src", "order-src"]), (second, ["order-src", "line-src"])):
        assert [[cell_text(cell) for cell in row[:2]] for row in grid.rows[1:3]] == [
            [str(k), name] for k, name in enumerate(names, 1)
        ]


def test_only_the_first_statistic_is_tested():
    table = meta([campaign()], statistics=["pearson", "kendall"], sig="default", alpha=0.1, correction="holm")
    assert "sig:williams|alpha:0.1|correction:holm" in table.signature_of("pearson")
    assert not {"sig", "alpha", "correction"} & {
        part.partition(":")[0] for part in table.signature_of("kendall").split("|")
    }


def test_one_system_counts_as_one():
    table = meta([campaign()], systems=["a"], outliers="keep")
    agreement = table["good-refA"].agreements[MetaColumn("de-en", table.measures[0])]
    assert (agreement.n, math.isnan(agreement.value)) == (1, True)


def test_rows_that_are_not_on_common_cells_are_marked():
    judged = (human(), human("segment"))
    stored = campaign(scores=(*judged, metric("good", 1.0, level="segment"), metric("only", 1.0, seed=4)))
    table = meta([stored, replace(stored, lp="en-de")], cells="common", outliers="keep")
    marked = {row["metric"] for row in table.rows() if row["not_on_common_cells"]}
    assert marked == {"only-refA"}
    (section,) = document(table).sections
    rows = {cell_text(row[1]): [cell_text(cell) for cell in row[2:]] for row in section.grids[0].rows}
    assert all(" §" in text for text in rows["only-refA"])
    assert not any("§" in text for name, texts in rows.items() if name != "only-refA" for text in texts)
    assert any(caption.template.startswith("§: not over common cells") for caption in section.grids[0].captions)


@pytest.mark.parametrize(("spec", "level", "metrics"), [("pearson", "system", 200), ("spa", "system", 10)])
def test_the_number_of_random_metrics(spec, level, metrics):
    table = meta([campaign()], statistics=[spec], level=level, outliers="keep")
    (agreement,) = table["random metric"].agreements.values()
    assert agreement.details["random_metrics"] == str(metrics)
    assert math.isnan(agreement.estimate.standard_error)
    assert agreement.estimate.standard_deviation > 0


def test_positive_mqm_scores_are_refused():
    original = campaign()
    scores = [
        replace(table, name="mqm", protocol="MQM", values=np.abs(table.values) + 1) if table.is_human else table
        for table in original.scores
    ]
    with pytest.raises(InputError, match="scores 'mqm' are positive, but MQM scores are at most 0"):
        meta(replace(original, scores=tuple(scores)), gold="mqm")
