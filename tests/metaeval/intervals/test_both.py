from __future__ import annotations

from dataclasses import replace

from assay.study.agree import agree
from tests.metaeval.intervals.enumeration import tables


def test_system_scores_that_are_no_means_have_no_segments_to_draw():
    metric, human = tables(systems=5)
    by_system = replace(metric, level="system", values=metric.values[:, :1], documents=())
    for ci in ("segments", "documents", "both"):
        found = agree(by_system, human, level="system", ci=ci)
        assert found.reason == "no interval: the system scores are not means of segment scores of both sides"
    for ci in ("segments", "both"):
        assert agree(metric, human, level="system", ci=ci).interval[0] < 1
