from __future__ import annotations

import dataclasses
import json

import pytest

from assay.errors import UnknownNameError
from assay.reports import document
from assay.reports.table import Table
from assay.results import PairRankings
from tests.results.test_ranking import RANKING

RANKINGS = PairRankings({"en-de": RANKING, "en-cs": RANKING})


def test_access():
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
