"""The preset `mtme`: what it changes, and that it changes nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import meta, metrics_task
from assay.agreement import statistic
from assay.errors import UnknownNameError
from assay.metaeval.parity import as_mtme, is_mtme, mtme_test
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
    }
    for spec, expected in specs.items():
        assert as_mtme(statistic.create(spec)) == statistic.create(expected), spec


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


def test_the_preset_tests_metrics_as_mt_metrics_eval_does():
    options = {"outliers": "keep", "resamples": 0, "sig": "default:resamples=40"}
    tested = meta([campaign()], preset="mtme", **options)
    assert tested.settings["sig"] == "perm-systems:resamples=40,p_rule=share"
    explicit = meta([campaign()], preset="mtme", **{**options, "sig": "williams"})
    assert explicit.settings["sig"] == "williams"  # what is asked for goes before the preset


def test_the_score_of_a_task_is_tested_on_draws_as_they_are(tmp_path):
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
    p, cautious = (t.test.p_values[np.triu_indices(len(t.test.metrics), 1)] for t in (table, ours))
    assert not np.isnan(p).any()
    assert math.fsum(p) != math.fsum(cautious)


def test_components_have_draws_of_their_own(tmp_path):
    """By default, components of a language pair share their coins, so that two equal ones vary as one does."""
    task = TASK.replace('["pearson", "soft-pairwise-accuracy"]', '["pearson", "spearman"]')
    task = task[: task.index("[[components]]\nlevel")]
    campaigns = [made_up("de-en")]
    path = write_task(tmp_path, task.replace("en-de = {}\n", ""))
    spread = {}
    for preset in (None, "mtme"):
        (table,) = metrics_task(campaigns, path, sig="perm-systems:resamples=200,seed=3", preset=preset).tables
        spread[preset] = table.test.p_values
    assert not np.array_equal(spread[None], spread["mtme"])


def test_options_of_a_spec_go_before_those_of_the_preset():
    tested = meta([campaign()], preset="mtme", outliers="keep", resamples=0, sig="default:p_rule=add-one,resamples=40")
    assert tested.settings["sig"] == "perm-systems:resamples=40"
