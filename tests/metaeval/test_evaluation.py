from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.agreement import statistic
from assay.human.outliers import OutlierRule
from assay.metaeval.evaluation import Plan, evaluate_pair
from assay.metaeval.gold import GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.metric_tables import metric_tables
from assay.metaeval.pair_scores import PairMetrics, pair_scores
from assay.reports import document, renderer
from assay.results import Measure
from assay.study.meta import meta
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import campaign, human, metric


def plan(level="system", statistics=("pearson",), outliers=("kept", "dropped"), random_metrics=0):
    grouping = "none" if level == "system" else "item"
    grouped = tuple(GroupedStatistic(statistic.create(spec), level, grouping) for spec in statistics)
    return Plan(level, grouped, outliers, random_metrics, Runtime())


def scores_of(given=None, level="system", cutoff=2.5):
    given = campaign() if given is None else given
    others = {"label": given.lp, "level": level, "rule": OutlierRule(cutoff=cutoff), "runtime": Runtime()}
    return pair_scores(given, PairMetrics(given.select(), metric_tables(given), ()), GoldOptions("da"), **others)


def test_every_metric_has_every_measure():
    chosen = plan(statistics=("pearson", "kendall"))
    scores = scores_of()
    found = evaluate_pair(chosen, scores).metrics
    assert set(found) == {"good-refA", "good-refB", "fair-all", "poor-src"}
    for agreements in found.values():
        assert tuple(agreements) == chosen.measures([])
    assert scores.pair.outliers.systems == ("far",)
    kept, dropped = (found["good-refA"][Measure("pearson", kind)] for kind in ("kept", "dropped"))
    assert (kept.n, dropped.n) == (6, 5)
    assert dropped.left_out["far"] == "an outlier in the human scores"


def test_without_outliers_the_numbers_are_computed_once():
    found = evaluate_pair(plan(), scores_of(cutoff=1e6)).metrics
    kept, dropped = (found["good-refA"][Measure("pearson", kind)] for kind in ("kept", "dropped"))
    assert kept.estimate is dropped.estimate
    assert (kept.settings["outliers"], dropped.settings["outliers"]) == ("kept", "dropped")


def test_baselines():
    judged = campaign(scores=(*campaign().scores, human("segment", name="mqm", seed=3)))
    found = evaluate_pair(plan(random_metrics=5, outliers=("kept",)), scores_of(judged)).baselines
    assert list(found) == ["human: mqm", "random metric"]
    assert found["human: mqm"][Measure("pearson", "kept")].metric == "human: mqm"
    random = found["random metric"][Measure("pearson", "kept")]
    assert random.details == {"random_metrics": "5", "seed": "12345"}
    assert np.isfinite(random.estimate.standard_deviation)


def test_metrics_that_tie_all_systems_in_many_segments_are_named():
    """Their values are of the other segments only."""
    good = metric("good", 1.0, level="segment")
    values = np.where(np.arange(good.values.shape[1]) % 2 == 0, 1.0, good.values)
    tying = replace(good, name="tying", values=values)
    stored = campaign(scores=(human("segment"), good, tying))
    table = meta([stored], level="segment", statistics=["kendall", "acc-star"], outliers="keep", ci="none")
    assert table.agreement("tying").defined_share == pytest.approx(0.5)
    (note,) = [note for note in table.notes if note.kind is NoteKind.ADVICE and "tie all systems" in note.text]
    assert 'tying-refA (50 %); statistics="kendall:nan_groups=zero" counts these as 0' in note.text
    counted = meta([stored], level="segment", statistics=["kendall:nan_groups=zero"], outliers="keep", ci="none")
    assert not any("tie all systems" in note.text for note in counted.notes)
    text = renderer.create("table").render(document(table))
    assert text.count("a segment in which a metric ties all is left out for it") == 1
