from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.pearson import Pearson
from assay.errors import InputError
from assay.metaeval.evaluation import Evaluation, Plan
from assay.metaeval.gold import Gold, GoldOptions
from assay.metaeval.grouped_statistic import GroupedStatistic
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.summary import MetaTable, notes_with_metrics
from assay.results import LanguagePair, Measure, MetaColumn, Outliers
from assay.study.agree import agree
from assay.types import Note, NoteKind, ScoreTable
from assay.types.runtime import Runtime

PEARSON = Measure("pearson", "kept")
PEOPLE = ScoreTable("da", "system", ("a", "b", "c"), np.array([[1.0], [2], [3]]), protocol="DA-z")
FEW = Note(NoteKind.MISSING, "few")


def value(metric):
    """Of three systems, with people who say 1, 2, 3."""
    names = ("a", "b", "c")
    scores = ScoreTable("m", "system", names, np.array(metric, dtype=float)[:, np.newaxis])
    return {PEARSON: agree(scores, PEOPLE, outliers="keep")}


def table(metrics, baselines=None, notes=None, *, is_pooled=False):
    """Of metrics, baselines and notes by language pair."""
    compared = {label: scores_of(label, (notes or {}).get(label, {})) for label in metrics}
    found = MetaTable()
    for label, rows in metrics.items():
        evaluation = Evaluation(rows, (baselines or {}).get(label, {}), compared[label].notes)
        found.add(compared[label], evaluation)
    for label, note in (notes or {}).items():
        if label not in metrics:
            found.leave_out(label, note)
    plan = Plan("system", (GroupedStatistic(Pearson()),), ("kept",), 0, Runtime())
    return found.summarise(plan, {}, is_pooled=is_pooled)


def scores_of(label, notes):
    pair = LanguagePair(label, "da", ("a", "b", "c"), {}, Outliers((), {}, "mad", 2.0, 1.0, 2.5))
    gold = Gold.from_scores(ScoresByLevel("da", system=PEOPLE), GoldOptions("da"))
    return PairScores(None, pair, gold, (), dict(notes))


GOOD, FAIR, BAD, NONE = value([1, 2, 3]), value([1, 3, 2]), value([3, 2, 1]), value([1, 1, 1])


def test_order():
    found = table({"de-en": {"x": FAIR, "y": GOOD, "z": NONE, "w": GOOD}, "en-de": {"x": FAIR, "y": BAD, "z": NONE}})
    assert [row.metric for row in found] == ["x", "y", "w", "z"]
    assert found["x"].averages[PEARSON].value == pytest.approx(0.5)
    assert found["y"].averages[PEARSON].value == pytest.approx(0.0)
    assert found["w"].averages[PEARSON].reason == "no value for en-de"
    assert found["z"].averages[PEARSON].reason == "no value for de-en, en-de"


def test_baselines_have_no_rank():
    found = table({"de-en": {"x": FAIR}}, {"de-en": {"human: mqm": GOOD}})
    assert [row.metric for row in found] == ["x"]
    assert [row.metric for row in found.baselines] == ["human: mqm"]
    assert found["human: mqm"].agreements[MetaColumn("de-en", PEARSON)].value == pytest.approx(1.0)


def test_a_note_appears_once_for_all_pairs():
    notes = {Note(NoteKind.EXCLUDED, "left out: refA (a reference)"): [], FEW: ["x"]}
    left_out = Note(NoteKind.EXCLUDED, "left out: it has no human scores 'da'")
    rows = {"x": FAIR, "y": FAIR}
    found = table({"de-en": rows, "en-de": rows}, notes={"de-en": notes, "en-de": notes, "fr-en": left_out})
    assert [str(note) for note in found.notes] == [
        "de-en, en-de: left out: refA (a reference)",
        "de-en, en-de, x: few",
        "fr-en: left out: it has no human scores 'da'",
    ]


def test_nothing_to_compare():
    with pytest.raises(InputError, match="no language pair can be evaluated") as caught:
        table({}, notes={"fr-en": Note(NoteKind.EXCLUDED, "left out: nobody cared")})
    assert caught.value.hint == "fr-en: left out: nobody cared"


def test_notes_name_a_few_metrics():
    def named(*metrics):
        (note,) = notes_with_metrics({FEW: metrics}, "abcdefg")
        return note

    assert named() == FEW
    assert named(*"abcdefg") == FEW
    assert (str(named("a", "b")), named("a", "b").text) == ("a, b: few", "few")
    assert (named(*"abcdef").where, named(*"abcdef").count) == ("a, b, c, d and 2 more", 6)


def test_metrics_of_fewer_systems_come_last():
    two = PEOPLE.take(("a", "b"))
    few = {PEARSON: agree(ScoreTable("m", "system", two.systems, two.values), PEOPLE, outliers="keep")}
    found = table({"x": {"few": few, "fair": value([1, 3, 2]), "poor": value([3, 2, 1])}})
    assert [row.metric for row in found] == ["fair", "poor", "few"]


def test_tied_metrics_share_a_place():
    found = table({"de-en": {"z": GOOD, "y": GOOD, "x": FAIR, "w": value([1, 3, 2 + 1e-13]), "v": BAD, "u": NONE}})
    assert [(row.metric, row.rank) for row in found] == [("y", 1), ("z", 1), ("w", 3), ("x", 3), ("v", 5), ("u", 6)]
    assert [row["rank"] for row in found.rows()][::2] == [1, 1, 3, 3, 5, 6]
    assert [each["rank"] for each in found.to_dict()["metrics"]] == [1, 1, 3, 3, 5, 6]
    baselines = table({"de-en": {"x": FAIR}}, {"de-en": {"human: mqm": GOOD}}).baselines
    assert [row.rank for row in baselines] == [None]


def test_the_signature_names_the_intervals():
    two = {PEARSON: agree(PEOPLE, PEOPLE, outliers="keep", ci="systems", resamples=9)}
    found = table({"de-en": {"x": FAIR}, "en-de": {"x": two}})
    assert found.settings == {"ci": "fisher+systems", "confidence": "0.95", "resamples": "9", "seed": "12345"}
    assert found.signature_of("pearson") == "statistic:pearson|ci:fisher+systems|confidence:0.95|resamples:9|seed:12345"
    assert found.signature_of("kendall") == "statistic:kendall|seed:12345"
