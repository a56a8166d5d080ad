from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.results import EvaluatedPair, Measure, MetaColumn, Outliers
from assay.study.agreeing import agree
from assay.study.standings import EvaluatedOn, standings, told_of
from assay.types import ScoreTable

PEARSON = Measure("pearson", "kept")


def value(metric):
    """Of three systems, with people who say 1, 2, 3."""
    names = ("a", "b", "c")
    people = ScoreTable("da", "system", names, np.array([[1.0], [2], [3]]), protocol="DA")
    scores = ScoreTable("m", "system", names, np.array(metric, dtype=float)[:, np.newaxis])
    return {PEARSON: agree(scores, people, outliers="keep")}


def on(label, yardsticks=(), remarks=None, **values):
    pair = EvaluatedPair(label, "da", ("a", "b", "c"), {}, Outliers((), {}, 2.0, 1.0, 2.5))
    return EvaluatedOn(label, pair, values=values, yardsticks=dict(yardsticks), remarks=remarks or {})


GOOD, FAIR, BAD, NONE = value([1, 2, 3]), value([1, 3, 2]), value([3, 2, 1]), value([1, 1, 1])


def test_order():
    found = [on("de-en", x=FAIR, y=GOOD, z=NONE, w=GOOD), on("en-de", x=FAIR, y=BAD, z=NONE)]
    table = standings((PEARSON,), {"statistics": "pearson"}, found, is_pooled=False)
    assert [row.metric for row in table] == ["x", "y", "w", "z"]
    assert table["x"].averages[PEARSON].value == pytest.approx(0.5)
    assert table["y"].averages[PEARSON].value == pytest.approx(0.0)
    assert table["w"].averages[PEARSON].reason == "no value for en-de"
    assert table["z"].averages[PEARSON].reason == "no value for de-en, en-de"


def test_yardsticks_have_no_place():
    found = [on("de-en", x=FAIR, yardsticks={"people: mqm": GOOD})]
    table = standings((PEARSON,), {}, found, is_pooled=False)
    assert [row.metric for row in table] == ["x"]
    assert [row.metric for row in table.yardsticks] == ["people: mqm"]
    assert table["people: mqm"].agreements[MetaColumn("de-en", PEARSON)].value == pytest.approx(1.0)


def test_notes_are_told_once():
    remarks = {"left out: refA (a reference)": [], "few": ["x"]}
    found = [on("de-en", x=FAIR, y=FAIR, remarks=remarks), on("en-de", x=FAIR, y=FAIR, remarks=remarks)]
    found.append(EvaluatedOn("fr-en", reason="no human scores 'da'"))
    table = standings((PEARSON,), {}, found, is_pooled=True)
    assert table.notes == (
        "de-en, en-de: left out: refA (a reference)",
        "de-en, en-de: few: x",
        "fr-en: left out of the table: no human scores 'da'",
    )
    many = {"few": list("abcdef")}
    found = [on("de-en", **dict.fromkeys("abcdefg", FAIR), remarks=many)]
    assert standings((PEARSON,), {}, found, is_pooled=False).notes == ("de-en: few: a, b, c, d and 2 more",)


def test_nothing_to_compare():
    with pytest.raises(InputError, match="nothing can be compared") as caught:
        standings((PEARSON,), {}, [EvaluatedOn("fr-en", reason="nobody cared")], is_pooled=False)
    assert caught.value.hint == "fr-en: left out of the table: nobody cared"


def test_remarks_name_a_few_metrics():
    assert told_of("flat", []) == "flat"
    assert told_of("flat", ["a", "b"]) == "flat: a, b"
    assert told_of("flat", list("abcdef")) == "flat: a, b, c, d and 2 more"
