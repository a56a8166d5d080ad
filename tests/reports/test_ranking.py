from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.reports import document as make_document
from assay.reports.latex import Latex
from assay.reports.table import Table
from assay.reports.tsv import Tsv
from assay.results import Estimate, PairRankings, Ranking
from tests.results.test_ranking import RANKING
from tests.results.test_reliability import RELIABILITY
from tests.tables import table_lines


def test_for_people():
    text = Table().render(make_document(RANKING, p_values=True))
    lines = table_lines(text)
    assert lines[0].split() == ["mqm", "cluster", "score", "interval", "n", "ranks", "fuzzy", "p_best"]
    assert lines[1].split() == ["x", "1", "-1.500", "[-2.000,", "-1.000]", "10", "1-2", "1.5", "0.75"]
    assert "10 scores of 0 outputs" in lines
    assert "p: row better than column" in text
    assert "0.25" in text
    assert lines[-1] == "method:mean|test:rank-sum"


def test_for_programs():
    rows = list(make_document(RANKING).rows)
    optional = {column.name for column in Ranking.columns if column.optional}
    assert all(optional.isdisjoint(row) for row in rows)
    header = Tsv().render(make_document(RANKING)).partition("\n")[0]
    assert optional.isdisjoint(header.split("\t"))
    assert Tsv().recognises(header.encode())
    assert "lp" in make_document(replace(RANKING, lp="en-de")).columns
    assert make_document(RANKING).tree["judgement_count"] == 10


def test_the_reliability_of_the_raters_is_in_every_form():
    document = make_document(replace(RANKING, reliability=RELIABILITY))
    assert Table().render(document).splitlines()[-5].startswith("reliability of raters, da")
    assert [row["measure"] for row in document.rows][2:] == list(RELIABILITY)
    assert len(document.tree["systems"]) == 2
    assert list(document.tree["reliability"]["estimates"]) == list(RELIABILITY)


def test_domains_are_in_every_form():
    means = {"news": {"x": Estimate(-1.0, 6), "y": Estimate(math.nan, 0, reason="not judged in this domain")}}
    document = make_document(replace(RANKING, by_domain=means, judgement_kind="ratings", outputs=5))
    text = Table().render(document)
    assert "10 ratings of 5 outputs" in text
    assert "-1.000 (6)" in text
    assert [(row["domain"], row["system"], row["n"]) for row in document.rows][2:] == [
        ("news", "x", 6),
        ("news", "y", 0),
    ]
    assert [each["value"] for each in document.tree["by_domain"]["news"].values()] == [-1.0, None]


def test_two_sided_p_values_are_called_so():
    text = Table().render(make_document(replace(RANKING, alternative="two-sided"), p_values=True))
    assert "p: row and column differ (two-sided)" in text
    assert "better than" not in text
    assert replace(RANKING, alternative="two-sided").to_dict()["alternative"] == "two-sided"


def test_p_values_are_rows_for_programs():
    rows = make_document(RANKING, p_values=True).rows
    assert [(row["first"], row["second"], row["p"]) for row in rows[2:]] == [("x", "y", 0.25), ("y", "x", 0.75)]
    rows = make_document(PairRankings({"en-de": replace(RANKING, alternative="two-sided")}), p_values=True).rows
    assert [(row["lp"], row["first"], row["second"], row["p"]) for row in rows[2:]] == [("en-de", "x", "y", 0.25)]
    assert {"first", "second", "p"}.isdisjoint(make_document(RANKING).columns)
    assert Tsv().recognises(Tsv().render(make_document(RANKING, p_values=True)).encode())


def test_every_row_says_what_it_is():
    by_domain = {"news": {name: Estimate(1.0, 3) for name in ("x", "y")}}
    rows = make_document(replace(RANKING, by_domain=by_domain, reliability=RELIABILITY), p_values=True).rows
    kinds = [row["row"] for row in rows]
    measures = ["reliability"] * len(RELIABILITY)
    assert kinds == ["system", "system", "domain", "domain", *measures, "pair", "pair"]


def test_clusters_name_their_units_and_no_rate_that_depends_on_the_data():
    settings = {"method": "mean", "alpha": "0.05"}

    def shown(**changes):
        return " ".join(Table().render(make_document(replace(RANKING, settings=settings, **changes))).split())

    clusters = "the clusters below it (one-sided, p < 0.05"
    assert f"{clusters}, segments taken as independent)" in shown()
    assert f"{clusters}, documents as units)" in shown(documents=53)
    assert "equal systems" not in shown()
    assert "clusters:" not in shown(alternative="two-sided")


def test_the_best_and_those_that_do_not_differ_from_it_are_marked():
    """A cluster may have systems that the best is significantly better than, so it is not what is marked."""
    settings = {**RANKING.settings, "alpha": "0.05"}
    for p, mark in ((0.2, r"\rlap{\textsuperscript{$\dagger$}}"), (0.01, "")):
        ranking = replace(RANKING, settings=settings, p_values=np.array([[math.nan, p], [1 - p, math.nan]]))
        text = Latex().render(make_document(ranking))
        assert r"x & 1 & \textbf{$-$1.500} & " in text
        assert f"& --{mark} & " in text
