from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.metaeval.pair_evaluation import PairEvaluation
from assay.metaeval.summary import notes_with_metrics, summarise
from assay.results import EvaluatedPair, Measure, MetaColumn, Outliers
from assay.study.agree import agree
from assay.types import Note, NoteKind, ScoreTable

PEARSON = Measure("pearson", "kept")
FEW = Note(NoteKind.MISSING, "few")


def value(metric):
    """Of three systems, with people who say 1, 2, 3."""
    names = ("a", "b", "c")
    people = ScoreTable("da", "system", names, np.array([[1.0], [2], [3]]), protocol="DA")
    scores = ScoreTable("m", "system", names, np.array(metric, dtype=float)[:, np.newaxis])
    return {PEARSON: agree(scores, people, outliers="keep")}


def on(label, baselines=(), notes=None, **metrics):
    pair = EvaluatedPair(label, "da", ("a", "b", "c"), {}, Outliers((), {}, 2.0, 1.0, 2.5))
    return PairEvaluation(label, pair, metrics=metrics, baselines=dict(baselines), notes=notes or {})


GOOD, FAIR, BAD, NONE = value([1, 2, 3]), value([1, 3, 2]), value([3, 2, 1]), value([1, 1, 1])


def test_order():
    found = [on("de-en", x=FAIR, y=GOOD, z=NONE, w=GOOD), on("en-de", x=FAIR, y=BAD, z=NONE)]
    table = summarise((PEARSON,), {"statistics": "pearson"}, found, is_pooled=False)
    assert [row.metric for row in table] == ["x", "y", "w", "z"]
    assert table["x"].averages[PEARSON].value == pytest.approx(0.5)
    assert table["y"].averages[PEARSON].value == pytest.approx(0.0)
    assert table["w"].averages[PEARSON].reason == "no value for en-de"
    assert table["z"].averages[PEARSON].reason == "no value for de-en, en-de"


def test_baselines_have_no_rank():
    found = [on("de-en", x=FAIR, baselines={"human: mqm": GOOD})]
    table = summarise((PEARSON,), {}, found, is_pooled=False)
    assert [row.metric for row in table] == ["x"]
    assert [row.metric for row in table.baselines] == ["human: mqm"]
    assert table["human: mqm"].agreements[MetaColumn("de-en", PEARSON)].value == pytest.approx(1.0)


def test_a_note_appears_once_for_all_pairs():
    notes = {Note(NoteKind.EXCLUDED, "left out: refA (a reference)"): [], FEW: ["x"]}
    found = [on("de-en", x=FAIR, y=FAIR, notes=notes), on("en-de", x=FAIR, y=FAIR, notes=notes)]
    found.append(PairEvaluation("fr-en", reason="it has no human scores 'da'"))
    table = summarise((PEARSON,), {}, found, is_pooled=True)
    assert [str(note) for note in table.notes] == [
        "de-en, en-de: left out: refA (a reference)",
        "de-en, en-de: few: x",
        "fr-en: left out: it has no human scores 'da'",
    ]
    found = [on("de-en", **dict.fromkeys("abcdefg", FAIR), notes={FEW: list("abcdef")})]
    (note,) = summarise((PEARSON,), {}, found, is_pooled=False).notes
    assert (str(note), note.count) == ("de-en: few: a, b, c, d and 2 more", 6)


def test_nothing_to_compare():
    with pytest.raises(InputError, match="no language pair can be evaluated") as caught:
        summarise((PEARSON,), {}, [PairEvaluation("fr-en", reason="nobody cared")], is_pooled=False)
    assert caught.value.hint == "fr-en: left out: nobody cared"


def test_notes_name_a_few_metrics():
    def named(*metrics):
        (note,) = notes_with_metrics({FEW: metrics}, "abcdefg")
        return note

    assert named() == FEW
    assert named(*"abcdefg") == FEW
    assert named("a", "b").text == "few: a, b"
    assert named(*"abcdef").text == "few: a, b, c, d and 2 more"
