from __future__ import annotations

from dataclasses import replace

from assay.reports import document as make_document
from assay.reports.table import Table
from assay.results import Ranking
from tests.results.test_ranking import RANKING
from tests.results.test_reliability import RELIABILITY


def test_for_people():
    text = Table().render(make_document(RANKING, p_values=True))
    lines = text.splitlines()
    assert lines[0].split() == ["mqm", "cluster", "score", "interval", "n", "ranks", "fuzzy", "p_best"]
    assert lines[1].split() == ["x", "1", "-1.500", "[-2.000,", "-1.000]", "10", "1-2", "1.5", "0.75"]
    assert "10 judgements" in lines
    assert "p: row better than column" in text
    assert "0.250" in text
    assert lines[-1] == "method:mean|test:rank-sum"


def test_for_programs():
    rows = list(make_document(RANKING).rows)
    assert all(list(row) == list(Ranking.columns) for row in rows)
    assert make_document(RANKING).tree["judgements"] == 10


def test_the_agreement_of_the_judges_is_in_every_form():
    document = make_document(replace(RANKING, agreement=RELIABILITY))
    assert Table().render(document).splitlines()[-5].startswith("agreement of judges, da")
    assert [row["measure"] for row in document.rows][2:] == list(RELIABILITY)
    assert len(document.tree["systems"]) == 2
    assert [row["measure"] for row in document.tree["agreement"]] == list(RELIABILITY)
