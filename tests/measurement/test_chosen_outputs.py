from __future__ import annotations

import pytest

import assay
from assay.contracts import NETWORKS, SURFACE
from assay.measurement.chosen_outputs import chosen_by_metric, chosen_by_scores, chosen_notes
from assay.metrics import metric
from assay.metrics.external import ExternalScores
from assay.types import ScoreTable, TestSet


def warning(judge, by):
    testset = TestSet({"new": ("a",)}, {"ref": ("a",)}, sources=("a",), chosen_by={"new": by})
    notes = list(chosen_notes(testset, [("judge", judge)]))
    assert all(note.severity == "warning" and note.where == "judge" for note in notes)
    return notes[0].text if notes else ""


def chosen(spec):
    return chosen_by_metric(metric.create(spec), "")


RELATIONS = {
    ("chrf", "chrf"): "chosen by chrf, the same metric:",
    ("chrf", "chrf++"): "the same metric",
    ("bleu", "sentbleu"): "a variant of this metric",
    ("chrf", "bleu"): f"which also rewards {SURFACE}",
    ("chrf", "comet"): "",
    ("markup", "markup"): "the same metric",
    ("markup", "chrf"): "",
    ("ensemble:metrics=chrf+ter", "chrf"): "which combines chrf, ter; chrf must not judge its choice",
    ("ensemble:metrics=chrf+ter", "ter"): "; ter must not judge its choice",
    ("ensemble:metrics=markup+comet", "xcomet"): f"which also rewards {NETWORKS}",
    ("ensemble:metrics=markup+comet", "bleu"): "",
    ("ensemble:metrics=markup+(ensemble:metrics=comet+chrf)", "bleu"): f"which also rewards {SURFACE}",
    ("ensemble:metrics=chrf+ter", "ensemble:metrics=chrf+ter"): "the same metric",
    ("ensemble:metrics=chrf+ter", "ensemble:metrics=markup+comet"): "",
    ("chrf", "ensemble:metrics=chrf+comet"): "which is a part of this metric",
    ("markup", "ensemble:metrics=markup+comet"): "which is a part of this metric",
    ("bleu", "ensemble:metrics=chrf+comet"): f"which also rewards {SURFACE}",
    ("bleu", "lexical"): "which is a part of this metric",
    ("lexical", "bleu"): "; bleu must not judge its choice",
    ("lexical", "nist"): f"which also rewards {SURFACE}",
    ("lexical", "comet"): "",
}


@pytest.mark.parametrize(("by", "judge"), RELATIONS)
def test_how_close_metrics_are(by, judge):
    found, expected = warning(metric.create(judge), chosen(by)), RELATIONS[by, judge]
    if expected:
        assert expected in found
    else:
        assert found == ""


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("comet", NETWORKS),
        ("COMET", NETWORKS),
        ("COMET-22", NETWORKS),
        ("CometKiwi", NETWORKS),
        ("wmt22-comet-da", NETWORKS),
        ("metricx-24", NETWORKS),
        ("XCOMET-XL", NETWORKS),
        ("chrF2", SURFACE),
        ("chrF++", SURFACE),
        ("qe", ""),
        ("scores", ""),
        ("comedy", ""),
    ],
)
def test_scores_from_elsewhere_have_the_relatives_of_their_name(name, family):
    assert chosen_by_scores(name, "").families == ((family,) if family else ())
    assert (NETWORKS in warning(metric.create("bleurt"), chosen_by_scores(name, ""))) == (family == NETWORKS)


def test_scores_from_elsewhere_as_the_judge():
    def external(name):
        return ExternalScores.of(ScoreTable(name, "segment", ("new",), [[0.0]]))

    assert "the same metric" in warning(external("qe"), chosen_by_scores("qe", ""))
    assert "a variant of this metric" in warning(external("COMET-22"), chosen("comet"))
    assert NETWORKS in warning(external("MetricX-24"), chosen("comet"))
    assert warning(external("mine"), chosen("comet")) == ""


@pytest.mark.warns("were chosen by ensemble")
def test_an_ensemble_is_recorded_with_its_parts(tmp_path):
    output = tmp_path / "new.en"
    result = assay.rerank([["a b", "a c"], ["x", "y z"]], "ensemble:metrics=chrf+ter", output=output)
    assert any(
        "chosen by ensemble must not be judged by it, nor by its parts chrf, ter" in str(note) for note in result.notes
    )
    testset = assay.load(outputs={"new": output}, references={"ref": ["a b", "y"]})
    assert (testset.chosen_by["new"].parts, testset.chosen_by["new"].families) == (("chrf", "ter"), (SURFACE,))
    notes = assay.score(testset, ["chrf", "bleu"], resamples=0).notes
    assert sum("were chosen by ensemble" in str(note) for note in notes) == 2
