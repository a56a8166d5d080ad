from __future__ import annotations

from assay.reports.ranking import RankingDocument
from assay.reports.table import Table
from tests.results.test_ranking import RANKING


def test_for_people():
    text = Table().render(RankingDocument(RANKING, p_values=True))
    lines = text.splitlines()
    assert lines[0].split() == ["mqm", "cluster", "score", "interval", "n", "ranks", "fuzzy", "first"]
    assert lines[1].split() == ["x", "1", "-1.500", "[-2.000,", "-1.000]", "10", "1-2", "1.5", "0.75"]
    assert "10 judgements" in lines
    assert "p: row better than column" in text
    assert "0.250" in text
    assert lines[-1] == "method:mean|test:rank-sum"


def test_for_programs():
    rows = list(RankingDocument(RANKING).rows())
    assert all(list(row) == list(RankingDocument.columns) for row in rows)
    assert RankingDocument(RANKING).tree()["judgements"] == 10
