from __future__ import annotations

import pytest

from assay import metrics_task
from assay.errors import ConfigError
from assay.reports import document, renderer
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


def test_clusters_of_components_and_of_the_score(campaigns, tmp_path):
    path = write_task(tmp_path, TASK)
    untested, tested = metrics_task(campaigns, path), metrics_task(campaigns, path, sig="default")
    (table,) = tested.tables
    assert table["COMET"].score == untested["COMET"].score
    assert table.test is not None
    assert table.test.test == "perm-segments"
    clusters = [row.cluster for row in table.metrics]
    assert clusters == sorted(clusters)
    assert clusters[0] == 1
    for component in table.components:
        ranks = {row.metric: row.ranks[component.label] for row in table.metrics}
        places = {row.metric: untested[row.metric].ranks[component.label] for row in table.metrics}
        assert all(ranks[name] <= places[name] for name in ranks)
    assert tested.settings["sig"] == "perm-segments"


def test_the_pooled_difference_is_that_of_the_scores(campaigns, tmp_path):
    (table,) = metrics_task(campaigns, write_task(tmp_path, TASK), sig="perm-segments:resamples=200").tables
    test = table.test
    first, second = (table[name].score.value for name in ("COMET", "chrF"))
    i, j = test.metrics.index("COMET"), test.metrics.index("chrF")
    assert test.differences[i, j] == pytest.approx(first - second)
    assert 0 < test.p_value("COMET", "chrF") < 0.5


def test_a_test_that_does_not_draw_has_no_clusters_of_the_score(campaigns, tmp_path):
    result = metrics_task(campaigns, write_task(tmp_path, SMALL), sig="williams")
    assert result.tables[0].test is None
    assert any("no clusters of the score: williams does not draw" in note.text for note in result.notes)


def test_the_table_shows_clusters(campaigns, tmp_path):
    result = metrics_task(campaigns, write_task(tmp_path, TASK), sig="default")
    text = renderer.create("table").render(document(result, p_values=True))
    assert "rank  cluster" in text
    assert "clusters: metrics that perm-segments does not tell apart at p <= 0.05" in text


def test_options(campaigns, tmp_path):
    path = write_task(tmp_path, TASK)
    with pytest.raises(ConfigError, match="alpha has no effect"):
        metrics_task(campaigns, path, alpha=0.1)
    with pytest.raises(ConfigError, match="alpha must be between 0 and 1"):
        metrics_task(campaigns, path, sig="default", alpha=2.0)
