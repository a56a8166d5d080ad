from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from assay import compare, load, score
from assay.errors import ConfigError, InputError, PluginError
from assay.measurement import check_finite, measure, naming_metric
from assay.metrics import metric
from assay.metrics.bleu import Bleu
from assay.types.runtime import Runtime

TESTSET = load(
    outputs={"x": ["a b c d", "e f g h"], "y": ["a b c d", None], "ref": ["a b c d", "e f g i"]},
    references={"ref": ["a b c d", "e f g i"]},
)


def test_statistics_and_what_they_are_worth():
    found = measure(TESTSET, ["bleu", "chrf"], Runtime(threads=1))
    assert list(found.metrics) == ["bleu", "chrf"]
    assert found.testset.systems == ("x", "y")
    assert {note.text for note in found.notes} >= {
        "excluded systems that are also references: ref",
        "excluded 1 of 2 segments, which lack an output for y",
    }
    bleu = found.metrics["bleu"]
    assert bleu.corpus.table is bleu.statistics.table
    np.testing.assert_array_equal(bleu.mean.segment_values, bleu.segment_scores)
    assert bleu.scorable("segment") is bleu.mean
    assert bleu.scorable("bootstrap") is bleu.scorable("corpus") is bleu.corpus


def test_common_segments_are_scored_for_all_systems():
    bleu = measure(TESTSET, ["bleu"], Runtime(threads=1)).metrics["bleu"]
    assert bleu.is_common.tolist() == [True, False]
    assert bleu.common().tolist() == [0]
    assert bleu.common(np.array([1, 0])).tolist() == [0]
    assert bleu.common(np.array([1])).tolist() == []


@pytest.mark.warns("no segments of")
def test_a_system_without_scores_leaves_the_others_theirs():
    testset = load(
        outputs={"x": ["a b c d", "e f g h"], "nothing": [None, None], "z": ["a b c d", None]},
        references={"ref": ["a b c d", "e f g i"]},
    )
    found = measure(testset, ["bleu"], Runtime(threads=1))
    assert found.metrics["bleu"].has_scores.tolist() == [True, False, True]
    assert found.metrics["bleu"].is_common.tolist() == [True, False]
    assert [(note.severity, note.text) for note in found.notes] == [
        ("warning", "2 of 2 segments missing"),
        ("warning", "1 of 2 segments missing"),
        ("warning", "no segments of nothing were scored: they lack an output"),
        ("note", "excluded 1 of 2 segments, which lack an output for z"),
    ]
    scores = score(testset, ["bleu"])["bleu"].corpus
    assert (scores.estimate("x").value, scores.estimate("x").n) == (pytest.approx(100), 1)
    assert (scores.estimate("nothing").n, scores.estimate("nothing").reason) == (0, "no segment was scored")
    with pytest.raises(InputError, match="no segment was scored for all systems") as raised:
        compare(testset, metrics="bleu")
    assert raised.value.hint == "there are no scores of nothing"


@pytest.mark.warns("no segments of")
def test_all_systems_without_scores():
    testset = load(outputs={"x": [None], "y": [None]}, references={"ref": ["a b c d"]})
    estimate = score(testset, ["bleu"])["bleu"].corpus.estimate("x")
    assert (estimate.n, estimate.reason) == (0, "no segment was scored")


@pytest.mark.parametrize("kept_cells", [None, 0])
def test_a_wrong_tag_is_found_in_its_file(tmp_path, kept_cells):
    """Metrics that need no universal tags accept others."""

    def rows(*metrics):
        testset = load(outputs=tmp_path / "x.de", references=tmp_path / "ref.de", annotations=True)
        for measured in measure(testset, metrics, Runtime(), kept_cells=kept_cells).metrics.values():
            measured.rows(slice(1, 2))

    word = "1\t{}\ta\t{}\t_\t_\t0\troot\t_\t_\n\n"
    for name, tag in (("x", "NN"), ("ref", "NOUN")):
        (tmp_path / f"{name}.de").write_text("a\nb\n", encoding="utf-8")
        annotation = f"# a comment\n{word.format('a', 'NOUN')}{word.format('b', tag)}"
        (tmp_path / f"{name}.de.conllu").write_text(annotation, encoding="utf-8")
    rows("hwcm")
    with pytest.raises(InputError, match=r"x\.de\.conllu, line 4: 'NN' is not a universal part of speech"):
        rows("sempos-upos")
    (tmp_path / "x.de.pos").write_text("NOUN\nVB\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.de\.pos, line 2: 'VB' is not a universal part of speech"):
        rows("sempos-upos")


def test_metrics_that_differ_only_in_how_they_score_share_a_table():
    found = measure(TESTSET, ["bleu", "bleu:smooth=floor"], Runtime(threads=1))
    first, second = found.metrics.values()
    assert np.shares_memory(first.statistics.table, second.statistics.table)


def test_what_is_refused():
    with pytest.raises(ConfigError, match="no metric was given"):
        measure(TESTSET, [], Runtime())
    with pytest.raises(ConfigError, match="two metrics are called 'bleu'"):
        measure(TESTSET, [metric.create("bleu"), metric.create("bleu")], Runtime())
    with pytest.raises(PluginError, match="infinite"):
        check_finite(np.array([1.0, np.inf]))


def test_errors_name_the_metric():
    with (
        pytest.raises(PluginError, match="the metric 'bleu' failed: ZeroDivisionError"),
        naming_metric("bleu", metric.create("bleu")),
    ):
        raise ZeroDivisionError


def test_a_metric_given_twice_is_noted():
    notes = measure(TESTSET, ["bleu", "BLEU"], Runtime(threads=1)).notes
    assert "bleu: given more than once, and computed once" in map(str, notes)


def test_a_random_metric_and_one_without_references(tmp_path, monkeypatch):
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    path = tmp_path / "my.py"
    path.write_text(
        "import random\ndef noise(output): return random.random()\ndef length(output): return len(output)\n"
    )
    with pytest.raises(PluginError, match="not deterministic"):
        measure(TESTSET, [f"{path}:noise"], Runtime(threads=1))
    (length,) = measure(TESTSET, [f"{path}:length"], Runtime(threads=1)).metrics.values()
    assert length.references == "0"


def test_segment_scores_are_computed_when_they_are_read(monkeypatch):
    scored, original = [], Bleu.formula.fget

    def formula(metric):
        return SimpleNamespace(scores=lambda totals: scored.append(totals.shape) or original(metric).scores(totals))

    monkeypatch.setattr(Bleu, "formula", property(formula))
    found = score(TESTSET, "bleu", agg="corpus", resamples=0, runtime=Runtime(threads=1))["bleu"]
    assert scored == [(2, 0, 10), (2, 1, 10)]  # no resamples, and the corpus scores
    assert tuple(found.segments) == ("x", "y")
    assert len(scored) == 2
    assert found.segments["x"][0] == pytest.approx(100)
    assert scored[2:] == [(2, 2, 10)]
    assert found.segments["x"] is found.segments["x"]


def test_a_metric_that_ends_the_process_is_faulty(tmp_path, monkeypatch):
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    path = tmp_path / "my.py"
    path.write_text("import sys\ndef leave(output): sys.exit(0)\n")
    with pytest.raises(PluginError, match="SystemExit: 0"):
        measure(TESTSET, [f"{path}:leave"], Runtime(threads=1))


def test_a_reference_as_the_only_system_is_questioned():
    texts = load(outputs={"ref": ["a b"]}, references={"ref": ["a b"]})
    (note,) = (note for note in measure(texts, ["bleu"], Runtime()).notes if note.severity == "warning")
    assert note.text == "scored against themselves: ref (references)"


def test_a_comparison_with_a_system_without_annotations_says_what_it_lacks():
    layers = {"tokens": {"ref": ["a b"], "parsed": ["a b"]}, "dependencies": {"ref": ["2 0"], "parsed": ["2 0"]}}
    testset = load(outputs={"parsed": ["a b"], "plain": ["a c"]}, references=["a b"], annotations=layers)
    with pytest.raises(InputError, match="hwcm: no segment was scored for all systems") as raised:
        compare(testset, metrics="hwcm")
    assert raised.value.hint == (
        "there are no scores of plain; hwcm needs the annotation layers dependencies and tokens of every system"
    )
