from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay import metrics_task
from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metaeval.tasks.significance import TaskTests
from assay.metric_tests import MetricCells, MetricPairs, metric_test
from assay.reports import document, renderer
from assay.results import TaskComponent
from tests.campaigns_with_metrics import metric
from tests.metaeval.tasks.files import SMALL, made_up, write_task

TASK = """
[defaults]
gold = "mqm"
reference = "refA"
[pairs]
de-en = {}
en-de = {}
[[components]]
statistic = "soft-pairwise-accuracy"
[[components]]
level = "segment"
statistic = "acc-star"
"""


@pytest.fixture
def campaigns():
    return [made_up("de-en"), made_up("en-de")]


def test_the_default_test_draws_what_the_level_compares(campaigns, tmp_path):
    """A coin per system where system scores are compared, else a coin per segment."""
    path = write_task(tmp_path, TASK)
    untested, tested = metrics_task(campaigns, path), metrics_task(campaigns, path, sig="default")
    (table,) = tested.tables
    assert table["COMET"].score == untested["COMET"].score
    assert [component.test for component in table.components] == ["perm-systems"] * 2 + ["perm-segments"] * 2
    assert table.components[0].null.startswith("for every system, ")
    assert table.test.test == "perm-systems+perm-segments"
    assert table.test.null.endswith(table.components[-1].null)
    clusters = [row.cluster for row in table.metrics]
    assert clusters == sorted(clusters)
    assert clusters[0] == 1
    for component in table.components:
        ranks = {row.metric: row.ranks[component.label] for row in table.metrics}
        places = {row.metric: untested[row.metric].ranks[component.label] for row in table.metrics}
        assert all(ranks[name] <= places[name] for name in ranks)
    assert tested.settings["sig"] == "perm-systems+perm-segments"
    assert (tested.settings["sig_seed"], tested.settings["sig_resamples"]) == ("12345", "1000")
    assert {c.test for c in metrics_task(campaigns, path, sig="perm-segments").tables[0].components} == {
        "perm-segments"
    }


@pytest.mark.parametrize("sig", ["default", "perm-segments:resamples=200"])
def test_the_tested_values_are_the_scores(campaigns, tmp_path, sig):
    """Rescaled like the scores, also where the range of a statistic starts below 0."""
    pearson = TASK.replace("soft-pairwise-accuracy", "pearson")
    campaigns = [without_system_scores(each) for each in campaigns]
    (table,) = metrics_task(campaigns, write_task(tmp_path, pearson), sig=sig).tables
    for name, value in zip(table.test.metrics, table.test.values, strict=True):
        assert value == pytest.approx(table[name].score.value)
    i, j = table.test.metrics.index("COMET"), table.test.metrics.index("chrF")
    assert table.test.differences[i, j] == pytest.approx(table["COMET"].score.value - table["chrF"].score.value)
    assert 0 < table.test.p_value("COMET", "chrF") < 0.5
    averaged = metrics_task(campaigns, write_task(tmp_path, 'combine = "mean"' + pearson), sig=sig).tables[0]
    assert averaged.test.statistic == "average"
    assert averaged.test.values[0] == pytest.approx(averaged[averaged.test.metrics[0]].score.value)


def without_system_scores(campaign):
    """So that system scores are the means of segment scores, which perm-segments tests."""
    return replace(campaign, scores=tuple(table for table in campaign.scores if table.level == "segment"))


def part(test, value, draws):
    """Two metrics that differ by `value`."""
    drawn = np.zeros((len(draws), 2, 2))
    drawn[:, 0, 1], drawn[:, 1, 0] = draws, -np.array(draws)
    p = np.full((2, 2), np.nan)
    return MetricPairs(
        test=test,
        null=f"null of {test}",
        sides="one",
        resamples=len(draws),
        seed=1,
        p_rule="add-one",
        metrics=("A", "B"),
        values=np.array([value, 0.0]),
        differences=np.array([[0.0, value], [-value, 0.0]]),
        p_values=p,
        systems=np.array([9, 9]),
        smallest_p=p,
        is_exact=np.zeros((2, 2), dtype=bool),
        n=np.ones((2, 2), dtype=np.int64),
        draws=drawn,
    )


def test_mt_metrics_eval_adds_draws_as_they_are():
    """p is the share of draws whose weighted sum over the components reaches the difference of the scores."""
    random = np.random.Generator(np.random.PCG64(8))
    drawn = random.normal(size=(2, 500))
    parts = [replace(part(name, 0.4, draws), p_rule="share") for name, draws in zip(("one", "two"), drawn, strict=True)]
    components = [
        TaskComponent(
            name, (name,), "each", "system", "acc23", "none", "macro", "scores", None, False, weight, low, 1.0
        )
        for name, weight, low in (("x", 0.25, 0.0), ("y", 0.75, -1.0))
    ]
    found = TaskTests("default", follows_mtme=True).of_score(components, parts, rescales=True)
    sums = 0.25 * drawn[0] + 0.75 * drawn[1] / 2  # correlations are halved to the range from 0 to 1
    assert found.p_value("A", "B") == (sums >= 0.25 * 0.4 + 0.75 * 0.4 / 2).mean()
    assert TaskTests("default").of_score(components, parts, rescales=True).p_value("A", "B") > found.p_value("A", "B")


def test_draws_of_different_tests_are_added_in_order_of_size():
    """Added as they come, these draws cancel each other out, and the difference would be the largest of all."""
    draws = np.linspace(-1, 1, 99)
    systems = part("perm-systems", 0.5, draws)
    segments = part("perm-segments", 0.5, draws[::-1])
    components = [
        TaskComponent(name, (name,), "each", "system", "acc23", "none", "macro", "scores", None, False, 0.5, 0.0, 1.0)
        for name in "xy"
    ]
    tests = TaskTests("default")
    mixed = tests.of_score(components, [systems, segments], rescales=True)
    assert mixed.p_value("A", "B") == pytest.approx((1 + (draws >= 0.5).sum()) / 100)
    assert mixed.p_value("B", "A") == pytest.approx((1 + (draws >= -0.5).sum()) / 100)
    shared = tests.of_score(components, [systems, replace(segments, test=systems.test)], rescales=True)
    assert shared.p_value("A", "B") == pytest.approx(1 / 100)


def test_a_metric_that_was_not_tested_has_no_rank(campaigns, tmp_path):
    """eBLEU has no segment scores, which the coins of segments need; its place by value is no significance cluster."""
    extra = (metric("eBLEU", 0.5, seed=4),)
    means = map(without_system_scores, campaigns)
    both = [replace(each, scores=(*each.scores, *extra)) for each in means]
    task = 'combine = "score"' + TASK.replace("soft-pairwise-accuracy", "pearson").partition("[[components]]\nlevel")[0]
    result = metrics_task(both, write_task(tmp_path, task), sig="perm-segments")
    row = result["eBLEU"]
    assert (row.rank is not None, row.ranks, row.cluster) == (True, {}, None)
    assert math.isnan(row.average_rank.value)
    assert row.average_rank.reason == "not tested in de-en pearson, en-de pearson"
    texts = [note.text for note in result.notes]
    assert "not tested, because they have no segment scores: eBLEU" in texts
    assert any(text.startswith("no average rank, because they were not tested") for text in texts)
    ranked = metrics_task(both, write_task(tmp_path, task.replace("score", "rank")), sig="perm-segments")
    assert ranked.tables[0].dropped == {"eBLEU": 2}
    assert (
        metrics_task(both, write_task(tmp_path, task.replace("score", "rank")), sig="default")["eBLEU"].rank is not None
    )


def test_a_test_that_does_not_draw_has_no_clusters_of_the_score(campaigns, tmp_path):
    result = metrics_task(campaigns, write_task(tmp_path, SMALL), sig="williams")
    assert result.tables[0].test is None
    assert result.tables[0].components[0].test == "williams"
    assert any("the score was not tested: williams does not draw" in note.text for note in result.notes)


def test_the_correction_is_applied_to_ranks_and_clusters(campaigns, tmp_path):
    path = write_task(tmp_path, TASK)
    plain, corrected = (
        metrics_task(campaigns, path, sig="default", correction=each) for each in ("none", "bonferroni")
    )
    (test,) = (table.test for table in corrected.tables)
    assert test.p_value("COMET", "chrF") == pytest.approx(min(1.0, 6 * plain.tables[0].test.p_value("COMET", "chrF")))
    assert all(corrected[row.metric].average_rank.value <= row.average_rank.value for row in plain.tables[0].metrics)
    assert corrected.settings["correction"] == "bonferroni"


def test_the_table_says_what_was_tested(campaigns, tmp_path):
    result = metrics_task(campaigns, write_task(tmp_path, TASK), sig="default", correction="holm")
    text = renderer.create("table").render(document(result, p_values=True))
    assert "rank  cluster" in text
    assert "rank in a component: a new rank starts at a metric that some metric of the current rank is " in text
    assert "null hypothesis of perm-systems: for every system, " in text
    assert (
        "significantly better than by its score (p < 0.05, after Holm correction), on the draws of all components"
        in text
    )
    winners = [line.split()[0] for line in text.splitlines() if "1* " in line]
    assert winners == list(result.tables[0].test.winners)
    assert "the average rank, which orders the metrics, is not" not in text
    assert "mine: tests of the score\n" in text
    by_rank = metrics_task(campaigns, write_task(tmp_path, 'combine = "rank"' + TASK), sig="default")
    text = renderer.create("table").render(document(by_rank))
    assert "rank  score cluster" in text
    assert "the score is tested; the average rank, which orders the metrics, is not" in text


def test_the_signature_has_the_seed_and_the_resamples_of_the_tests(campaigns, tmp_path):
    """Not those of the intervals, or of other tests."""
    path = write_task(tmp_path, TASK)
    settings = metrics_task(campaigns, path, sig="perm-segments:resamples=20,seed=7", resamples=30).settings
    assert [settings[name] for name in ("sig_resamples", "sig_seed")] == ["20", "7"]
    assert [settings[name] for name in ("resamples", "seed")] == ["30", "12345"]


def test_options(campaigns, tmp_path):
    path = write_task(tmp_path, TASK)
    for changes in ({"alpha": 0.1}, {"correction": "holm"}):
        with pytest.raises(ConfigError, match=f"{next(iter(changes))} has no effect"):
            metrics_task(campaigns, path, **changes)
    with pytest.raises(ConfigError, match="alpha must be between 0 and 1"):
        metrics_task(campaigns, path, sig="default", alpha=2.0)
    with pytest.raises(ConfigError, match="correction"):
        metrics_task(campaigns, path, sig="default", correction="x")
    with pytest.raises(ConfigError, match="unknown test between metrics 'x'"):
        metrics_task(campaigns, path, sig="x")


@pytest.mark.slow
def test_the_score_of_exchangeable_metrics_rarely_differs():
    """Seed fixed beforehand; 200 data sets of 12 systems, whose metrics favour some systems by chance.

    Coins of systems and of segments, added in order of size, keep the level; coins of segments alone do not.
    """
    random = np.random.Generator(np.random.PCG64(16))
    pearson = statistic.create("pearson")
    by_system, by_segment = (metric_test.create(f"{name}:resamples=99") for name in ("perm-systems", "perm-segments"))
    components = [
        TaskComponent(
            name, (name,), "each", "system", "pearson", "none", "macro", "scores", None, False, 0.5, -1.0, 1.0
        )
        for name in "xy"
    ]
    rejected = {"default": 0, "segments": 0}
    for _ in range(200):
        human = 0.4 * random.normal(size=(12, 1)) + random.normal(size=(12, 100))
        noise = 0.5 * random.normal(size=(2, 12, 1)) + 1.5 * random.normal(size=(2, 12, 100))
        cells = MetricCells(("A", "B"), human + noise, human, np.ones((2, 12, 100), dtype=np.bool_))
        means = (each.mean(axis=-1, keepdims=True) for each in (human + noise, human))
        systems = MetricCells(("A", "B"), *means, np.ones((2, 12, 1), dtype=np.bool_))
        at_segments = by_segment.compare(pearson, cells)
        for name, at_systems in (
            ("default", by_system.compare(pearson, systems, level="system")),
            ("segments", by_segment.compare(pearson, cells, level="system")),
        ):
            test = TaskTests("default").of_score(components, [at_systems, at_segments], rescales=True)
            rejected[name] += test.p_value("A", "B") <= 0.05
    assert rejected["default"] / 200 <= 0.056
    assert rejected["segments"] / 200 > 0.15


def test_what_is_tested_on_a_domain_are_the_scores_of_the_domain(tmp_path):
    """Not the system scores of the whole test set, which the metrics have as well."""
    domains = ("news", "news", "news", "chat", "chat", "chat")
    task = SMALL.replace('statistic = "pearson"', 'statistic = "pearson"\ndomain = ["chat"]')
    (table,) = metrics_task(
        [made_up("de-en", domains=domains)], write_task(tmp_path, task), sig="perm-systems:resamples=20"
    )
    tested = dict(zip(table.test.metrics, table.test.values.tolist(), strict=True))
    assert tested == {row.metric: pytest.approx(row.score.value, abs=1e-9) for row in table.metrics}
