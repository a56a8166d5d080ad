from __future__ import annotations

import json
import math
from dataclasses import replace

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
    outliers = Outliers((), {"a": math.nan}, "mad", 1.0, 0.0, 2.5, "MAD 0")
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
    assert table.signature == table.signature_of("pearson") == "statistic:pearson|level:system"
    assert table.signature_of("pearson") == "statistic:pearson|level:system"
    with pytest.raises(UnknownNameError, match="'BLUE' is not in the table"):
        _ = table["BLUE"]


def test_references_can_be_left_out_of_a_name_while_one_row_has_it(table):
    rows = [replace(table["BLEU"], metric=f"chrF-{end}", without_references="chrF") for end in ("refA", "refB")]
    assert replace(table, metrics=tuple(rows[:1]))["chrF"] is rows[0]
    with pytest.raises(UnknownNameError, match="'chrF' has 2 rows") as caught:
        _ = replace(table, metrics=tuple(rows))["chrF"]
    assert caught.value.hint == "use chrF-refA or chrF-refB"
    exact = replace(rows[0], metric="chrF", without_references="")
    assert replace(table, metrics=(*rows, exact))["chrF"] is exact


def test_the_agreement_of_a_metric(table):
    assert table["BLEU"].average.value == 0.5
    assert table.agreement("BLEU", lp="en-de") is table["BLEU"].agreements[MetaColumn("en-de", KEPT)]
    assert table.agreement("BLEU", lp="en-de", statistic="pearson", outliers="kept").value == 0.5
    single = replace(table, language_pairs=table.language_pairs[:1])
    assert single.agreement("BLEU") is table["BLEU"].agreements[MetaColumn("de-en", KEPT)]
    for options, message in (
        ({}, "there are several language pairs"),
        ({"lp": "en-cs"}, "lp 'en-cs' is not in the table"),
        ({"lp": "de-en", "statistic": "kendall"}, "statistic 'kendall' is not in the table"),
        ({"lp": "de-en", "outliers": "dropped"}, "outliers 'dropped' is not in the table"),
        ({"lp": "de-en", "domain": "news"}, "domain 'news' is not in the table"),
    ):
        with pytest.raises(UnknownNameError, match=message):
            table.agreement("BLEU", **options)
    with pytest.raises(UnknownNameError, match="'<x>' has no value on en-de"):
        table.agreement("<x>", lp="en-de")


def test_rows(table):
    rows = list(table.rows())
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


def test_outliers_as_json():
    tree = Outliers(("x",), {"x": 3.0, "y": math.nan}, "mad", 1.0, 0.5, 2.5).to_dict()
    assert json.loads(json.dumps(tree, allow_nan=False))["distances"] == {"x": 3.0, "y": None}
