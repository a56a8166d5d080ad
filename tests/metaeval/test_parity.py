"""The preset `mtme`: what it changes, and that it changes nothing else."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from assay import meta, metrics_task
from assay.agreement import statistic
from assay.errors import UnknownNameError
from assay.metaeval.parity import as_mtme, is_mtme, mtme_test
from assay.metaeval.tasks.significance import TaskTests
from assay.metric_tests import metric_test
from assay.reports import document, renderer
from assay.types import ScoreTable
from tests.campaigns_with_metrics import SEGMENTS, SYSTEMS, campaign, metric
from tests.metaeval.tasks.files import made_up, write_task

TASK = """
[defaults]
gold = "mqm"
reference = "refA"
[pairs]
de-en = {}
en-de = {}
[[components]]
statistic = ["pearson", "soft-pairwise-accuracy"]
[[components]]
level = "segment"
statistic = "acc-star"
"""


def test_statistics_as_mt_metrics_eval_computes_them():
    specs = {
        "acc-star": "acc-star:exact_ties=yes",
        "acc-star:epsilon=0.5": "acc-star:epsilon=0.5,exact_ties=yes",
        "kendall": "kendall:exact_ties=yes",
        "pearson": "pearson",
        "spa": "soft-pairwise-accuracy:seed=4,ties=at-least,signs=mtme",
        "spa:seed=7": "soft-pairwise-accuracy:seed=7,ties=at-least,signs=mtme",
        "kendall-like": "kendall-like:tolerance=0.0,exact_ties=yes",
        "kendall:exact_ties=no": "kendall:exact_ties=no",  # what is set stays, also at its default
        "spa:seed=12345": "soft-pairwise-accuracy:seed=12345,ties=at-least,signs=mtme",
    }
    for spec, expected in specs.items():
        assert as_mtme(spec) == statistic.create(expected), spec
    assert as_mtme(statistic.create("spa:seed=7")) == as_mtme("spa:seed=7")


def test_tests_as_mt_metrics_eval_makes_them():
    """Cell by cell, the systems where their scores are compared, and outcomes of pairs where ties are calibrated."""
    cases = [
        ("pearson", "system", "perm-systems"),
        ("pairwise-accuracy", "system", "perm-systems"),
        ("spa", "system", "perm-cells"),
        ("pearson", "segment", "perm-cells"),
        ("kendall", "segment", "perm-cells"),
        ("acc-star", "segment", "pair-outcomes"),
    ]
    for spec, level, expected in cases:
        test = metric_test.create(mtme_test(statistic.create(spec), level))
        assert (test.name, test.p_rule, test.sides) == (expected, "share", "one"), spec


def test_names_of_presets():
    assert (is_mtme("mtme"), is_mtme(None), is_mtme("wmt24")) == (True, False, False)
    with pytest.raises(UnknownNameError, match="there is no preset 'mtm'") as caught:
        meta([campaign()], preset="mtm")
    assert "mtme" in caught.value.hint
    with pytest.raises(UnknownNameError, match="there is no preset 'wmt24'"):
        metrics_task([made_up("en-de")], "wmt23", preset="wmt24", partial=True)


def nearly_tied():
    """A metric whose scores differ in the last digits where people tie: batches of a neural network do that."""
    random = np.random.Generator(np.random.PCG64(5))
    judged = 50 + random.integers(0, 3, size=(len(SYSTEMS), SEGMENTS)).astype(float)
    noisy = judged * (1 + 1e-13 * random.integers(0, 9, size=judged.shape))
    return campaign(
        scores=(
            ScoreTable("da", "segment", SYSTEMS, judged, protocol="DA"),
            ScoreTable("noisy", "segment", SYSTEMS, noisy, references=("refA",)),
            metric("good", 0.2, level="segment"),
        )
    )


def test_the_preset_ties_equal_scores_only():
    options = {"gold": "da", "level": "segment", "statistics": "acc23", "outliers": "keep", "resamples": 0}
    table, exact = meta([nearly_tied()], **options), meta([nearly_tied()], preset="mtme", **options)
    assert table["noisy"].average.value == 1.0
    assert exact["noisy"].average.value < 0.9
    assert exact["good"].average.value == table["good"].average.value
    assert exact.settings["preset"] == "mtme"
    assert exact.measures[0].statistic == "acc23:exact_ties=yes"
    asked_for = meta([nearly_tied()], preset="mtme", **{**options, "statistics": "acc23:exact_ties=no"})
    assert asked_for["noisy"].average.value == 1.0


def test_the_preset_tests_metrics_as_mt_metrics_eval_does():
    options = {"outliers": "keep", "resamples": 0, "sig": "default:resamples=40"}
    tested = meta([campaign()], preset="mtme", **options)
    assert tested.settings["sig"] == "perm-systems:resamples=40,p_rule=share"
    explicit = meta([campaign()], preset="mtme", **{**options, "sig": "williams"})
    assert explicit.settings["sig"] == "williams"  # what is asked for goes before the preset


@pytest.fixture
def tested_components(monkeypatch):
    """The weights in the score and the tests of the components of each task that was tested."""
    found, of_score = [], TaskTests.of_score

    def noted(self, components, tested, *, rescales):
        weights = [each.weight / (each.high - each.low if rescales else 1) for each in components]
        found.append(list(zip(weights, tested, strict=True)))
        return of_score(self, components, tested, rescales=rescales)

    monkeypatch.setattr(TaskTests, "of_score", noted)
    return found


def shares_of_draws(components, metrics):
    """(metric, metric): the share of draws in which the weighted sum of differences reaches the observed one."""
    shares = np.full((len(metrics), len(metrics)), math.nan)
    for (i, one), (j, other) in permutations(enumerate(metrics), 2):
        drawn, observed = 0.0, 0.0
        for weight, tested in components:
            first, second = tested.metrics.index(one), tested.metrics.index(other)
            drawn = drawn + weight * tested.draws[:, first, second]
            observed += weight * (tested.values[first] - tested.values[second])
        shares[i, j] = (drawn >= observed - 1e-12).mean()
    return shares


def test_the_score_of_a_task_is_tested_on_draws_as_they_are(tmp_path, tested_components):
    """p of the score: how often the weighted sum of independent draws of all components reaches the difference."""
    path, campaigns = write_task(tmp_path, TASK), [made_up("de-en"), made_up("en-de")]
    result = metrics_task(campaigns, path, sig="default:resamples=400", preset="mtme")
    (table,) = result.tables
    assert {component.test for component in table.components} == {
        "perm-systems:resamples=400,p_rule=share",
        "perm-cells:resamples=400,p_rule=share",
        "pair-outcomes:resamples=400,p_rule=share",
    }
    text = renderer.create("table").render(document(result))
    assert "added as they are drawn, as mt-metrics-eval does" in text
    assert "in order of size" not in text
    ours = metrics_task(campaigns, path, sig="default:resamples=400").tables[0]
    for row in table.metrics:  # statistics without ties or draws are the same
        label = "de-en system pearson"
        assert row.values[label].value == ours[row.metric].values[label].value
    expected = shares_of_draws(tested_components[0], table.test.metrics)
    assert len({tested.test for _, tested in tested_components[0]}) == 3
    np.testing.assert_allclose(table.test.p_values, expected, rtol=1e-12)


def test_components_have_draws_of_their_own(tmp_path, tested_components):
    """By default, components of a language pair share their coins, so that two equal ones vary as one does."""
    task = TASK.replace('["pearson", "soft-pairwise-accuracy"]', '["pearson", "spearman"]')
    task = task[: task.index("[[components]]\nlevel")]
    campaigns = [made_up("de-en")]
    path = write_task(tmp_path, task.replace("en-de = {}\n", ""))
    for preset, is_alike in ((None, True), ("mtme", False)):
        sig = "perm-systems:resamples=200,seed=3,p_rule=share"
        (table,) = metrics_task(campaigns, path, sig=sig, preset=preset).tables
        components = tested_components.pop()
        np.testing.assert_allclose(table.test.p_values, shares_of_draws(components, table.test.metrics), rtol=1e-12)
        first, second = (tested.draws[:, 0, 1] for _, tested in components)
        correlation = np.corrcoef(first, second)[0, 1]
        assert correlation > 0.7 if is_alike else abs(correlation) < 0.3


def test_options_of_a_spec_go_before_those_of_the_preset():
    tested = meta([campaign()], preset="mtme", outliers="keep", resamples=0, sig="default:p_rule=add-one,resamples=40")
    assert tested.settings["sig"] == "perm-systems:resamples=40"
