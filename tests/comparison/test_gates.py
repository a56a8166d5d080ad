"""Gates: which systems meet a condition, and names that a comparison does not have."""

from __future__ import annotations

import math

import pytest

import assay
from assay.comparison.gate_syntax import FIELDS
from assay.comparison.gates import lookup, parse
from assay.errors import ConfigError, UnknownNameError
from assay.types import NoteKind
from assay.words.systems import failure_text

METRICS = {"bleu": ("corpus", "segment"), "chrf": ("corpus", "segment"), "comet": ("segment",)}
SYSTEMS = ("new", "newer")


def met(text, values, metrics=METRICS, systems=SYSTEMS, baseline="base"):
    """The systems that meet a condition; `values` has what the condition may ask for."""
    gate = parse(text).resolve(metrics, systems, baseline)
    return gate.evaluate(lambda *key: values[key])


def test_any_system_counts():
    values = {("bleu", "corpus", "new", "delta"): 0.2, ("bleu", "corpus", "newer", "delta"): -0.7312}
    (only,) = met("bleu.delta < -0.5", values)
    assert only.system == "newer"
    assert failure_text(only) == "bleu.delta < -0.5 holds for 'newer': bleu.delta = -0.7312"
    assert met("bleu.delta < -1", values) == []
    assert [gate.system for gate in met("bleu.delta < 1", values)] == ["new", "newer"]


def test_all_parts_must_hold_for_the_same_system():
    values = {
        ("chrf", "corpus", "new", "p"): 0.01,
        ("chrf", "corpus", "new", "delta"): 0.5,
        ("chrf", "corpus", "newer", "p"): 0.4,
        ("chrf", "corpus", "newer", "delta"): -0.5,
    }
    assert met("chrf.p < 0.05 and chrf.delta < 0", values) == []


def test_the_first_aggregation_is_the_default():
    values = {("bleu", "corpus", "new", "p"): 0.5, ("bleu", "segment", "new", "p"): 0.01}
    assert not met("bleu.p < 0.05", values, systems=["new"])
    assert met("bleu:segment.p < 0.05", values, systems=["new"])
    assert met("comet.p < 0.05", {("comet", "segment", "new", "p"): 0.01}, systems=["new"])


def test_named_systems_are_judged_once():
    values = {("bleu", "corpus", "new", "score"): 30.0, ("bleu", "corpus", "base", "score"): 31.0}
    (only,) = met("bleu[new].score < bleu[base].score", values)
    assert only.system is None
    assert failure_text(only) == "bleu[new].score < bleu[base].score holds: bleu[new].score = 30, bleu[base].score = 31"


def test_a_named_system_beside_any_system():
    values = {
        ("bleu", "corpus", name, "score"): score for name, score in (("base", 31.0), ("new", 30.0), ("newer", 32.0))
    }
    assert [gate.system for gate in met("bleu.score < bleu[base].score", values)] == ["new"]


@pytest.mark.parametrize(
    "condition",
    [
        "bleu.p < 0.05",
        "not bleu.p < 0.05",
        "bleu.p > 0.05",
        "bleu.p != 2",
        "bleu.p < 0 and bleu.delta > 9",
        "bleu.p < bleu.p",
    ],
)
def test_an_undefined_value_fails_the_gate(condition):
    values = {("bleu", "corpus", "new", "p"): math.nan, ("bleu", "corpus", "new", "delta"): 0.0}
    (only,) = met(condition, values, systems=["new"])
    assert only.undefined == ("bleu.p",)
    assert failure_text(only) == f"{condition}: bleu.p is undefined for 'new', and an undefined value fails the gate"


def test_a_metric_may_be_named_without_its_options():
    metrics = {"bleu:tok=intl": ("corpus",), "chrf": ("corpus",), "chrf:word_order=1": ("corpus",)}
    values = {("bleu:tok=intl", "corpus", "new", "p"): 0.01, ("chrf", "corpus", "new", "p"): 0.2}
    for name in ("bleu", "BLEU", '"bleu:tok=intl"', '"BLEU:smooth=auto,tok=intl"'):
        assert met(f"{name}.p < 0.05", values, metrics, ["new"])
    for name in ("chrf", "chrF"):
        assert not met(f"{name}.p < 0.05", values, metrics, ["new"])


@pytest.mark.parametrize(
    ("condition", "says", "hint"),
    [
        ("blue.p < 1", "no metric 'blue' is compared", "did you mean 'bleu'?"),
        ("ter.p < 1", "no metric 'ter' is compared", "available: bleu, chrf, comet"),
        ("comet:corpus.p < 1", "comet has no aggregation 'corpus'", "available: segment"),
        ("bleu:sgement.p < 1", "no aggregation 'sgement'", "did you mean 'segment'?"),
        ("bleu[newest].p < 1", "no system 'newest' is compared", "did you mean 'newer'?"),
        ("bleu[base].p < 1", "'base' is the baseline, which has only a score", "any"),
        ("chrf.p < 1 or (not bleu[\x1b].p < 1)", r"no system '\x1b' is compared", "available: new, newer"),
    ],
)
def test_unknown_names_are_usage_errors_before_anything_is_computed(condition, says, hint):
    gate = parse(condition)
    with pytest.raises(ConfigError) as caught:
        gate.resolve(METRICS, SYSTEMS, "base")
    assert caught.value.exit_code == 2
    assert says in caught.value.message
    assert hint in caught.value.hint


def test_an_ambiguous_name_is_refused():
    with pytest.raises(UnknownNameError, match="several metrics: bleu:tok=intl, bleu:tok=zh") as caught:
        parse("bleu.p < 1").resolve({"bleu:tok=intl": ("corpus",), "bleu:tok=zh": ("corpus",)}, SYSTEMS)
    assert '"bleu:tok=intl".p' in caught.value.hint


def test_a_comparison_is_looked_up():
    testset = assay.load(
        references=["the cat sat on the mat", "a dog ran home today"] * 20,
        outputs={
            "base": ["the cat sat on a mat", "a dog ran home"] * 20,
            "new": ["a cat", "the dog ran home today"] * 20,
        },
    )
    comparison = assay.compare(testset, ["bleu", "ter"], resamples=200)
    value = lookup(comparison)
    for spec in ("bleu", "ter"):
        for aggregation in ("corpus", "segment"):
            (pair,) = comparison.metric(spec, aggregation).pairs
            found = [value(spec, aggregation, "new", field) for field in FIELDS]
            score = comparison.metric(spec, aggregation).scores["new"].value
            assert found == [pair.difference.value, pair.p_corrected, pair.difference.low, pair.difference.high, score]
    metrics = {"bleu": ("corpus", "segment"), "ter": ("corpus", "segment")}
    gate = parse("bleu.score < bleu[base].score and ter:segment.delta > 0").resolve(metrics, ["new"], "base")
    assert [each.system for each in gate.evaluate(value)] == ["new"]


def test_a_condition_runs_no_file(tmp_path):
    (tmp_path / "mine.py").write_text("raise SystemExit(99)\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="no metric"):
        parse(f"'{tmp_path}/mine.py:Mine'.p < 1").resolve(METRICS, SYSTEMS)


def test_a_note_on_conditions_that_a_one_sided_test_cannot_meet():
    condition = parse("chrf.p < 0.05 and chrf.delta < 0")
    (note,) = condition.notes("better")
    assert note.kind is NoteKind.SUSPECT
    assert "never holds" in note.text
    assert condition.notes("worse") == condition.notes("two-sided") == ()
    assert parse("chrf.p >= 0.05").notes("better") == ()  # not shown to be better


def test_a_p_value_that_no_resample_reached_is_a_bound():
    gate = parse("bleu.p < 0.05 and bleu.delta < 0").resolve({"bleu": ["corpus"]}, ["new"], "base")
    values = {"p": 1 / 10_001, "delta": -3.0}
    (met,) = gate.evaluate(lambda *place: values[place[3]], lambda *place: place[3] == "p")
    assert failure_text(met).endswith("holds for 'new': bleu.p < 0.0001, bleu.delta = -3")
    (met,) = gate.evaluate(lambda *place: values[place[3]])
    assert failure_text(met).endswith("holds for 'new': bleu.p = 9.999e-05, bleu.delta = -3")
