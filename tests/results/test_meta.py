from __future__ import annotations

import json
import math

import pytest

from assay.errors import UnknownNameError
from assay.results import Estimate, EvaluatedMetric, LanguagePair, Measure, MetaColumn, MetaEvaluation, Outliers
from assay.results.result import Tabular
from assay.types import Note, NoteKind
from tests.results.test_agreement import agreement

NOTE = Note(NoteKind.PROVENANCE, "a note")
KEPT = Measure("pearson", "kept")


@pytest.fixture
def table():
    outliers = Outliers((), {"a": math.nan}, 1.0, 0.0, 2.5, "MAD 0")
    pairs = tuple(
        LanguagePair(lp, "mqm", ("a", "b", "c"), {"ref": "a reference"}, outliers) for lp in ("de-en", "en-de")
    )
    whole = EvaluatedMetric("BLEU", {MetaColumn(p.lp, KEPT): agreement() for p in pairs}, {KEPT: Estimate(0.5, 2)})
    part = EvaluatedMetric(
        "<x>",
        {MetaColumn("de-en", KEPT): agreement(math.nan)},
        {KEPT: Estimate(math.nan, 0, reason="no value for de-en, en-de")},
    )
    return MetaEvaluation({"statistics": "pearson", "level": "system"}, pairs, (KEPT,), (whole, part), notes=(NOTE,))


def test_looking_up(table):
    assert table["BLEU"].averages[KEPT].value == 0.5
    assert len(table) == 2
    assert repr(table) == "MetaEvaluation(2 metrics on 2 language pairs; BLEU, <x>, …)"
    assert table.signature == "statistics:pearson|level:system"
    assert table.signature_of("pearson") == "statistic:pearson|level:system"
    with pytest.raises(UnknownNameError, match="'BLUE' is not in the table"):
        _ = table["BLUE"]


def test_rows(table):
    rows = list(table.rows())
    assert all(list(row) == list(MetaEvaluation.columns) for row in rows)
    assert [(row["metric"], row["lp"], row["value"]) for row in rows] == [
        ("BLEU", None, 0.5),
        ("BLEU", "de-en", 0.5),
        ("BLEU", "en-de", 0.5),
        ("<x>", None, None),
        ("<x>", "de-en", None),
    ]
    assert (rows[0]["systems"], rows[1]["systems"], rows[3]["reason"]) == (None, 3, "no value for de-en, en-de")


def test_json_has_no_nan(table):
    tree = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert tree["language_pairs"][0]["left_out"] == {"ref": "a reference"}
    assert tree["metrics"][1]["values"][0]["reason"] == "flat"
    assert tree["notes"] == [NOTE.to_dict()]


def test_notebooks_show_a_table(table):
    page = Tabular._repr_html_(table)
    assert page.count("<tr>") == 6
    assert "&lt;x&gt;" in page
