from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.metaeval.evaluation import Evaluation
from assay.metaeval.human_scores import HumanView
from assay.metaeval.metric_scores import metric_scores
from assay.metaeval.pair_evaluation import Plan, evaluate_pair
from assay.results import Measure
from assay.runtime import Runtime
from tests.campaigns_with_metrics import campaign, human


def plan(level="system", statistics=("pearson",), outliers=("kept", "dropped"), **changes):
    grouping = "none" if level == "system" else "item"
    evaluations = tuple(Evaluation(statistic.create(spec), grouping) for spec in statistics)
    fields = {
        "human": HumanView("da"),
        "level": level,
        "evaluations": evaluations,
        "outliers": outliers,
        "cutoff": 2.5,
        "random_metrics": 0,
        "runtime": Runtime(),
    }
    return Plan(**fields | changes)


def evaluate(chosen, given=None):
    given = campaign() if given is None else given
    return evaluate_pair(chosen, given.lp, given, given.select(), metric_scores(given))


def test_every_metric_has_every_measure():
    chosen = plan(statistics=("pearson", "kendall"))
    found = evaluate(chosen)
    assert set(found.metrics) == {"good-refA", "good-refB", "fair-all", "poor-src"}
    for agreements in found.metrics.values():
        assert tuple(agreements) == chosen.measures
    assert found.pair.outliers.systems == ("far",)
    kept, dropped = (found.metrics["good-refA"][Measure("pearson", kind)] for kind in ("kept", "dropped"))
    assert (kept.n, dropped.n) == (6, 5)
    assert dropped.left_out["far"] == "an outlier in the human scores"


def test_without_outliers_the_numbers_are_computed_once():
    quiet = HumanView("da")
    found = evaluate(plan(human=quiet, cutoff=1e6))
    kept, dropped = (found.metrics["good-refA"][Measure("pearson", kind)] for kind in ("kept", "dropped"))
    assert kept.estimate is dropped.estimate
    assert (kept.settings["outliers"], dropped.settings["outliers"]) == ("kept", "dropped")


def test_metrics_without_segment_scores_are_noted():
    found = evaluate(plan("segment"))
    assert set(found.metrics) == {"good-refA", "poor-src"}
    notes = {str(note): metrics for note, metrics in found.notes.items()}
    assert notes["metrics without segment scores are left out"] == ["fair-all", "good-refB"]


@pytest.mark.parametrize(
    ("given", "level", "reason"),
    [
        (campaign(scores=()), "system", "it has no human scores 'da'"),
        (campaign(scores=(human(),)), "segment", "it has no human segment scores 'da'"),
        (campaign(scores=(human(),)), "system", "it has no system scores of metrics"),
    ],
)
def test_why_there_is_nothing(given, level, reason):
    found = evaluate(plan(level), given)
    assert found.pair is None
    assert found.reason.startswith(reason)


def test_baselines():
    judged = campaign(scores=(*campaign().scores, human("segment", name="mqm", seed=3)))
    found = evaluate(plan(random_metrics=5, outliers=("kept",)), judged)
    assert list(found.baselines) == ["human: mqm", "random metric"]
    random = found.baselines["random metric"][Measure("pearson", "kept")]
    assert random.details == {"random_metrics": "5", "seed": "12345"}
    assert np.isfinite(random.estimate.standard_error)
