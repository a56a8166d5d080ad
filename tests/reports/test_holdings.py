from __future__ import annotations

import numpy as np

from assay.reports.holdings import HoldingsDocument
from assay.reports.table import Table
from assay.types import Campaign, Rankings, ScoreTable, TestSet


def test_it_counts_what_there_is():
    testset = TestSet(outputs={"a": ("x", "y"), "b": ("x", "z")}, references={"refA": ("x", "y")})
    scores = (
        ScoreTable("mqm", "segment", ("a", "b"), np.array([[1.0, np.nan], [2.0, 3.0]]), protocol="MQM"),
        ScoreTable("mqm", "system", ("a", "b"), np.ones((2, 1)), protocol="MQM"),
        ScoreTable("BLEU", "system", ("a", "b"), np.ones((2, 1))),
    )
    rankings = Rankings("rr", ("a", "b"), ("j",), np.zeros(3), np.zeros(3), np.ones((3, 2), np.int8))
    campaign = Campaign("wmt", "en-de", 2, ("a", "b"), ("refA",), testset, scores, (rankings,))
    document = HoldingsDocument((campaign, Campaign("", "", 0, ("a", "b"), (), None, scores[2:])))
    first, second = document.rows()
    assert first == {
        "testset": "wmt",
        "lp": "en-de",
        "segments": 2,
        "outputs": 2,
        "references": 1,
        "human_system": "mqm",
        "human_segment": "mqm:3",
        "metrics_system": 1,
        "metrics_segment": 0,
        "judgements": "rr:3",
    }
    assert (second["testset"], second["outputs"], second["metrics_system"]) == (None, 0, 1)
    assert Table().render(document).splitlines()[-1] == "2 in all"
    assert document.tree()["campaigns"] == [first, second]
