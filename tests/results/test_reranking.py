from __future__ import annotations

import math

from assay.results import RerankedSegment, Reranking

SEGMENTS = (
    RerankedSegment(1, "b", 2, 3, 5.0, 1.0, 3.0, 0, (1.0, 5.0, 3.0)),
    RerankedSegment(2, "c", 1, 2, math.nan, math.nan, math.nan, 0, (math.nan, math.nan)),
)


def test_a_reranking_is_a_list_of_segments():
    reranking = Reranking({"rule": "score"}, "score", "qe", "qe", True, SEGMENTS)
    assert list(reranking) == list(SEGMENTS)
    assert reranking.texts == ("b", "c")
    assert reranking.changed == 1
    assert repr(reranking) == "Reranking(qe, 2 segments)"
    assert [row["value"] for row in reranking.rows()] == [5.0, None]
    assert "values" not in reranking.to_dict()["segments"][0]
