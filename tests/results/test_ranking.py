from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.reports import document
from assay.reports.table import Table
from assay.results import Estimate, PairRankings, RankedSystem, Ranking, Reliability
from assay.types import Note, NoteKind

RANKING = Ranking(
    name="mqm",
    settings={"method": "mean", "test": "rank-sum"},
    systems=(
        RankedSystem("x", Estimate(-1.5, 10, -2.0, -1.0), 1, 1, 2, 1, 1.5, 0.75),
        RankedSystem("y", Estimate(math.nan, 0, reason="nobody judged it"), 2, 1, 2, 1, 1.5, 0.25),
    ),
    p_values=np.array([[math.nan, 0.25], [0.75, math.nan]]),
    rank_shares=np.array([[0.75, 0.25], [0.25, 0.75]]),
    judgement_count=10,
    notes=(Note(NoteKind.EXCLUDED, "not judged: z", count=1),),
)


def test_access():
    assert RANKING["y"].rank == 2
    assert RANKING.p_value("x", "y") == 0.25
    assert [ranked.system for ranked in RANKING] == ["x", "y"]
    assert RANKING.signature == "method:mean|test:rank-sum"
    with pytest.raises(UnknownNameError, match="'z' was not ranked"):
        _ = RANKING["z"]
    assert repr(RANKING).startswith("Ranking(mqm by mean: 2 systems; x, y")


def test_json_has_no_nan():
    tree = json.loads(json.dumps(RANKING.to_dict(), allow_nan=False))
    assert tree["p_values"] == [[None, 0.25], [0.75, None]]
    assert tree["systems"][1]["value"] is None
    assert tree["systems"][1]["reason"] == "nobody judged it"
    assert [row["p_best"] for row in tree["systems"]] == [0.75, 0.25]
    assert tree["notes"] == [{"severity": "note", "kind": "excluded", "where": "", "count": 1, "text": "not judged: z"}]
    assert tree["reliability"] is None


def test_reliability_is_part_of_the_tree():
    reliability = Reliability("mqm", {"kappa between raters": Estimate(0.5, 8)})
    tree = dataclasses.replace(RANKING, reliability=reliability).to_dict()
    assert tree["reliability"]["estimates"]["kappa between raters"]["value"] == 0.5


RANKINGS = PairRankings({"en-de": RANKING, "en-cs": RANKING})


def test_language_pairs_by_name():
    assert RANKINGS["en-cs"] is RANKING
    assert (list(RANKINGS), len(RANKINGS)) == (["en-de", "en-cs"], 2)
    assert repr(RANKINGS) == "PairRankings(en-de, en-cs)"
    with pytest.raises(UnknownNameError, match="'en-fr' was not ranked"):
        _ = RANKINGS["en-fr"]


def test_signatures():
    assert RANKINGS.signature == RANKING.signature
    other = dataclasses.replace(RANKING, settings={"method": "wins"})
    several = PairRankings({"en-de": RANKING, "en-cs": other})
    assert several.signature == f"en-de {RANKING.signature}; en-cs method:wins"


def test_every_form_names_the_pair():
    rows = list(RANKINGS.rows())
    assert [row["lp"] for row in rows] == ["en-de", "en-de", "en-cs", "en-cs"]
    tree = json.loads(json.dumps(RANKINGS.to_dict(), allow_nan=False))
    assert [*tree["rankings"]] == ["en-de", "en-cs"]
    text = Table().render(document(RANKINGS))
    assert text.index("en-de") < text.index("en-cs")
