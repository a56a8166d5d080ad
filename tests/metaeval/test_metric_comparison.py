"""Tests between the metrics of a language pair: which cells they see, and what an average over pairs is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.metric_comparison import SignificanceOptions
from assay.metric_tests.williams import williams_p
from assay.reports import document
from assay.results import Measure, MetaColumn
from assay.study.meta import meta
from assay.types import Rankings, TestSet
from tests.campaigns_with_metrics import SEGMENTS, SYSTEMS, campaign, human, metric

KEPT, DROPPED = Measure("pearson", "kept"), Measure("pearson", "dropped")


def test_williams_of_the_values_in_the_table():
    table = meta([campaign()], sig="default", metrics=(), outliers="both")
    for measure, n in ((KEPT, 6), (DROPPED, 5)):
        test = table.test_of("de-en", measure)
        assert test.test == "williams"
        first, second = (
            table[name].agreements[MetaColumn("de-en", measure)].value for name in ("good-refA", "fair-all")
        )
        scores = {
            name: metric(name, noise).values[: 6 if n == 6 else 5, 0] for name, noise in (("good", 0.1), ("fair", 2.0))
        }
        between = np.corrcoef(scores["good"], scores["fair"])[0, 1]
        assert test.p_value("good-refA", "fair-all") == pytest.approx(williams_p(first, second, between, n))
        i, j = (test.metrics.index(name) for name in ("good-refA", "fair-all"))
        assert test.n[i, j] == n
        assert test.values[i] == first
    assert table.settings["sig"] == "williams"


@pytest.mark.parametrize(
    ("spec", "expected"), [("kendall", "perm-systems"), ("spa", "perm-systems"), ("pearson", "williams")]
)
def test_default_tests(spec, expected):
    table = meta([campaign()], statistics=[spec], sig="default", outliers="keep")
    assert table.tests[0].test == expected
    assert table.tests[0].values[0] == max(table.tests[0].values)


def test_segments_are_tested_by_item():
    table = meta([campaign()], level="segment", statistics=["acc-star"], sig="default", outliers="keep")
    (test,) = table.tests
    assert test.test == "perm-segments"
    for row in table:
        column = MetaColumn("de-en", Measure("acc-star", "kept"))
        assert test.values[test.metrics.index(row.metric)] == pytest.approx(row.agreements[column].value)
    assert test.n.max() == 6 * SEGMENTS


def test_systems_that_a_metric_lacks():
    stored = campaign(scores=(human(), metric("a", 1.0), metric("b", 1.0, seed=5, systems=SYSTEMS[:5])))
    test = meta([stored], sig="williams", outliers="keep").tests[0]
    assert test.n[0, 1] == 5


def test_averages_are_tested_with_pooled_draws():
    table = meta([campaign(), campaign("en-de")], sig="perm-systems:resamples=64", outliers="keep")
    average, *pairs = table.tests
    assert [test.lp for test in table.tests] == [None, "de-en", "en-de"]
    for name, value in zip(average.metrics, average.values, strict=True):
        assert value == pytest.approx(table[name].averages[KEPT].value)
    assert pairs[0].p_values.tolist() != pairs[1].p_values.tolist()  # the coins of the pairs are their own


def test_pooled_averages_weight_language_pairs():
    small = campaign(
        "en-de",
        systems=SYSTEMS[:5],
        scores=tuple(t.take(SYSTEMS[:5]) for t in campaign().scores),
        references=(),
        testset=None,
    )
    options = {"statistics": ["pairwise-accuracy"], "over_pairs": "pooled", "outliers": "keep"}
    table = meta([campaign(), small], sig="perm-systems:resamples=20", **options)
    measure = Measure("pairwise-accuracy", "kept")
    for name, value in zip(table.tests[0].metrics, table.tests[0].values, strict=True):
        assert value == pytest.approx(table[name].averages[measure].value)


def test_williams_does_not_test_averages():
    table = meta([campaign(), campaign("en-de")], sig="default", outliers="keep")
    assert [test.lp for test in table.tests] == ["de-en", "en-de"]
    assert any("williams does not draw" in str(note) for note in table.notes)


def test_tests_that_swap_segments_test_what_the_table_shows():
    """At the system level only metrics whose system scores are means of segment scores; a note names the others."""
    judged, mean = human("segment"), metric("mean", 2.0, level="segment", seed=4)
    good = (metric("good", 0.1), metric("good", 0.2, level="segment"))
    other = metric("other", 1.0, level="segment", seed=5)
    stored = campaign(scores=(judged, means_of(judged), mean, means_of(mean), other, means_of(other), *good))
    table = meta([stored], sig="perm-both:resamples=20", outliers="keep")
    (test,) = table.tests
    assert set(test.metrics) == {"mean-refA", "other-refA"}
    for name, value in zip(test.metrics, test.values, strict=True):
        assert value == pytest.approx(table[name].agreements[MetaColumn("de-en", KEPT)].value)
    text = "not tested, because perm-both swaps segment scores, but their system scores are not means of these"
    assert any(text in note.text and note.text.endswith(": good-refA") for note in table.notes)
    common = meta([stored], sig="perm-both:resamples=20", outliers="keep", cells="common")
    assert set(common.tests[0].metrics) == {"mean-refA", "other-refA", "good-refA"}
    for name, value in zip(common.tests[0].metrics, common.tests[0].values, strict=True):
        assert value == pytest.approx(common[name].agreements[MetaColumn("de-en", KEPT)].value)


def means_of(segments):
    """System scores that are means of segment scores, rounded as stored ones are."""
    return replace(segments, level="system", values=segments.values.mean(axis=1, keepdims=True).round(4))


def test_segment_means_of_a_computed_metric_are_tested_but_not_its_corpus_scores():
    options = {
        "metrics": ["chrf", "chrf:beta=1"],
        "agg": ["corpus", "segment"],
        "sig": "perm-segments:resamples=9",
        "outliers": "keep",
    }
    texts = {name: [f"{name} " * k + "of words" * (5 - k) for k in range(SEGMENTS)] for name in SYSTEMS}
    testset = TestSet(outputs=texts, references={"refA": ["words of refA and more"] * SEGMENTS}, lp="de-en")
    judged = human("segment")
    table = meta([campaign(scores=(judged, means_of(judged)), references=("refA",), testset=testset)], **options)
    assert set(table.tests[0].metrics) == {"m-chrf-refA", "m-chrf:beta=1-refA"}
    assert any(note.text.endswith(": chrf-refA, chrf:beta=1-refA") for note in table.notes)


def test_tests_that_swap_segments_need_segment_scores():
    table = meta([campaign()], sig="perm-both:resamples=20", outliers="keep")
    assert any("no segment scores: fair-all, good-refB" in str(note) for note in table.notes)
    only_systems = campaign(scores=(human(), metric("a", 1.0), metric("b", 1.0, seed=5)))
    with pytest.raises(ConfigError, match="perm-both needs segment scores"):
        meta([only_systems], sig="perm-both")
    no_metric = campaign(scores=(human(), human("segment"), metric("a", 1.0), metric("b", 1.0, seed=5)))
    assert meta([no_metric], sig="perm-both:resamples=20", outliers="keep").tests == ()


def test_rankings():
    random = np.random.default_rng(2)
    ranks = np.array([random.permutation(6) + 1 for _ in range(3 * SEGMENTS)])
    rankings = Rankings("rr", SYSTEMS[:6], ("j",), np.zeros(len(ranks)), np.repeat(np.arange(SEGMENTS), 3), ranks)
    scores = (metric("a", 1.0, level="segment"), metric("b", 2.0, seed=4, level="segment"))
    stored = campaign(scores=scores, judgements=(rankings,))
    table = meta([stored], gold="rr", level="segment", sig="default", outliers="keep")
    (test,) = table.tests
    assert test.test == "perm-segments"
    assert 0 < test.p_values[0, 1] < 1
    assert test.values[0] == pytest.approx(
        max(row.agreements[MetaColumn("de-en", table.measures[0])].value for row in table)
    )


def test_only_significant_pairs_count():
    table = meta([campaign()], statistics=["pairwise-accuracy"], significant=0.2, sig="default", outliers="keep")
    for name, value in zip(table.tests[0].metrics, table.tests[0].values, strict=True):
        column = MetaColumn("de-en", Measure("pairwise-accuracy", "kept"))
        assert value == pytest.approx(table[name].agreements[column].value)


def test_seeds():
    pearson = GroupedStatistic(statistic.create("kendall"))
    assert SignificanceOptions.from_spec("default", pearson, seed=3).test.seed == 3
    assert SignificanceOptions.from_spec("perm-systems:seed=4", pearson, seed=3).test.seed == 4
    options = {"statistics": ["kendall"], "sig": "perm-systems:resamples=20", "outliers": "keep"}  # fewer than 2^6
    one, other = (meta([campaign()], **options, seed=seed) for seed in (1, 2))
    assert one.tests[0].seed == 1
    assert not np.array_equal(one.tests[0].p_values, other.tests[0].p_values, equal_nan=True)


def test_nothing_is_tested_unless_asked():
    assert meta([campaign()]).tests == ()
    assert SignificanceOptions.from_spec(None, GroupedStatistic(statistic.create("pearson"))) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.1}, "alpha"),
        ({"correction": "holm"}, "correction"),
        ({"sig": "default", "alpha": 2.0}, "alpha must be between 0 and 1"),
        ({"sig": "default", "correction": "hollm"}, "unknown correction"),
        ({"sig": "wilcoxon"}, "unknown test between metrics 'wilcoxon'"),
        ({"sig": "williams", "statistics": ["kendall"]}, "williams compares Pearson"),
        ({"sig": "pair-outcomes"}, "acc-star or tau-star, not pearson"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ConfigError, match=message):
        meta([campaign()], **options)


def test_undefined_metrics_are_noted():
    stored = campaign(scores=(human(), metric("good", 0.1), metric("flat", 0.0, seed=3).take(SYSTEMS)))
    flat = stored.scores[2]
    constant = type(flat)("flat", "system", SYSTEMS, np.ones((len(SYSTEMS), 1)))
    table = meta([campaign(scores=(human(), metric("good", 0.1), constant))], sig="default", outliers="keep")
    assert table.tests == ()
    assert any("no test of 1 pair of metrics" in str(note) for note in table.notes)
    assert math.isnan(table["flat-src"].averages[KEPT].value)


@pytest.mark.parametrize(
    ("systems", "sig", "expected"),
    [
        (6, "perm-systems:resamples=10", "there are 10 resamples, so that p is at least 0.091; at least 20 resamples"),
        (4, "perm-systems", "p is a share of all ways to swap the scores, which are few, so that p is at least 0.062"),
        (5, "perm-systems:sides=two", "so that p is at least 0.062"),
    ],
)
def test_tests_that_cannot_reject_are_noted(systems, sig, expected):
    scores = (human(), metric("a", 1.0), metric("b", 2.0, seed=5))
    stored = campaign(scores=tuple(table.take(SYSTEMS[:systems]) for table in scores), systems=SYSTEMS[:systems])
    table = meta([stored], sig=sig, outliers="keep")
    (note,) = (note for note in table.notes if "cannot differ significantly" in note.text)
    assert note.text.startswith("1 pair of metrics")
    assert expected in note.text
    assert note.where == "de-en"


def test_tests_that_can_reject_are_not_noted():
    table = meta([campaign()], statistics=["kendall"], sig="default", outliers="keep")
    assert table.tests[0].is_exact.any()  # 2^6 ways
    assert not any("cannot differ significantly" in note.text for note in table.notes)


def test_corrections_count():
    table = meta([campaign()], sig="perm-systems:resamples=30", correction="bonferroni", outliers="keep")
    (note,) = (note for note in table.notes if "cannot differ significantly" in note.text)
    assert "so that p is at least 0.19 after the correction for 6 pairs; at least 120 resamples" in note.text


def test_a_single_metric_is_not_tested():
    table = meta([campaign(scores=(human(), metric("a", 1.0)))], sig="default", outliers="keep")
    assert table.tests == ()
    assert any("fewer than two can be tested" in note.text for note in table.notes)
    (section,) = document(table).sections
    assert not any("tested rank" in column.title for column in section.grids[0].columns)


def test_the_default_test_takes_options():
    table = meta([campaign()], statistics=["kendall"], sig="default:resamples=25", outliers="keep")
    assert table.tests[0].test == "perm-systems:resamples=25"
    with pytest.raises(ConfigError, match="'williams' has no option 'resamples'"):
        meta([campaign()], sig="default:resamples=25")


@pytest.mark.parametrize(("level", "expected"), [("system", "perm-systems"), ("segment", "perm-segments")])
def test_the_hint_names_the_test_that_suits(level, expected):
    with pytest.raises(ConfigError) as caught:
        meta([campaign()], sig="williams", level=level, statistics=["kendall"])
    assert caught.value.hint == f"use {expected}"


def test_metrics_without_a_test_are_known():
    """They have values, but nobody may say that the best agrees better than they do."""
    tables = (human("segment"), *(metric(name, 0.5, level="segment") for name in ("one", "two")))
    stored = campaign(scores=(*tables, metric("stored", 0.1)))
    table = meta([stored], sig="perm-both:resamples=20", outliers="keep")
    (test,) = table.tests
    assert set(test.tested) == {"one-refA", "two-refA"}
    assert table.not_tested(test) == ("stored-refA",)
    assert table.to_dict()["metrics_not_tested"] == [["stored-refA"]]


def test_only_metrics_with_an_average_are_compared_by_it():
    some = campaign("en-de", scores=(human(), metric("good", 0.1), metric("fair", 2.0)))
    every = campaign(scores=(human(), metric("good", 0.1), metric("fair", 2.0), metric("here", 0.5)))
    table = meta([every, some], sig="perm-systems:resamples=20", outliers="keep")
    assert (len(table), [row.metric for row in table.averaged()]) == (3, ["good-refA", "fair-refA"])
    assert table.averaged(Measure("pearson", "kept")) == table.averaged()
    of_average = next(test for test in table.tests if test.lp is None)
    assert table.not_tested(of_average) == ()
