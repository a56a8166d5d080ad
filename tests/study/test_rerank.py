from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest

import assay
from assay.errors import AssayError
from assay.types import NoteKind

GROUPS = [["the cat sat", "a cat sat", "the cat sat down", "the cat sat"], ["dogs run", "a dog runs"], ["only one"]]


def advice(notes):
    return [str(note) for note in notes if note.kind is NoteKind.ADVICE and "chosen by" in note.text]


def test_minimum_bayes_risk_by_hand():
    """The utility of a candidate is its chrF against each candidate of the segment, also itself."""
    result = assay.rerank(GROUPS, "chrf")
    for group, segment in zip(GROUPS, result, strict=True):
        expected = []
        for candidate in group:
            outputs, references = {"x": [candidate] * len(group)}, {"r": group}
            run = assay.score(assay.load(outputs=outputs, references=references), "chrf", agg="segment", resamples=0)
            expected.append(float(np.mean(run["chrf"].segments["x"])))
        np.testing.assert_allclose(segment.values, expected, rtol=0, atol=1e-12)
        assert segment.chosen == int(np.argmax(expected)) + 1
        assert segment.text == group[segment.chosen - 1]
    assert result.rule == "mbr"
    assert result.texts == tuple(segment.text for segment in result)
    assert "metric:chrf|char_order:6" in result.signature
    assert "pseudo_references:candidates" in result.signature


def test_a_lower_rate_is_better():
    result = assay.rerank([["z z z z", "a b c", "a b d", "a b c e"]], "ter")
    assert not result.higher_is_better
    assert result.segments[0].text == "a b c"
    assert result.segments[0].value == min(result.segments[0].values)


def test_pseudo_references_of_their_own():
    result = assay.rerank([["a b c", "x y z"]], "bleu", pseudo_references=[["x y z", "x y w", "x y"]])
    assert result.texts == ("x y z",)
    assert len(result.settings["pseudo_references"]) == 32  # a digest
    with pytest.raises(AssayError, match="pseudo-references of 2 segments, but candidates of 1"):
        assay.rerank([["a", "b"]], "chrf", pseudo_references=[["a"], ["b"]])


def test_equal_values_go_to_the_first():
    (segment,) = assay.rerank([["a b", "b a", "a b"]], "bleu:max_order=1")
    assert (segment.chosen, segment.ties) == (1, 1)
    (segment,) = assay.rerank([["same"] * 4], "chrf")
    assert (segment.chosen, segment.ties, segment.candidates) == (1, 0, 4)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
@pytest.mark.parametrize("count", range(3, 9))
def test_means_that_only_rounding_separates_are_equal(metric, count):
    """Candidates that differ in their last word only can be exchanged, so that their mean utilities are equal."""
    for length in range(4, 16):
        words = " ".join(f"w{i}" for i in range(length))
        (segment,) = assay.rerank([[f"{words} x{k}" for k in range(count)]], metric)
        assert (segment.chosen, segment.ties) == (1, count - 1)


def test_small_differences_count():
    (segment,) = assay.rerank([["a", "b", "c"]], scores=[1e-6, 1.00001e-6, math.nan])
    assert (segment.chosen, segment.ties) == (2, 0)
    (segment,) = assay.rerank([["a", "b"]], scores=[0.0, 0.0])
    assert (segment.chosen, segment.ties) == (1, 1)


@pytest.mark.warns("no candidate has a value")
def test_a_metric_without_references_scores_each_candidate():
    result = assay.rerank([["b", "<i>b</i>"], ["x", "y"]], "markup", sources=["<i>a</i>", "q"])
    assert result.rule == "score"
    assert result.texts == ("<i>b</i>", "x")
    assert math.isnan(result.segments[1].value)
    kinds = [note.kind for note in result.notes]
    assert kinds.count(NoteKind.UNDEFINED) == 2
    assert any("no candidate has a value, and the first was taken" in str(note) for note in result.notes)


def test_scores_from_elsewhere(tmp_path):
    path = tmp_path / "qe.txt"
    path.write_text("1\n5\nnan\n5\n2\n1\n0\n")
    assert [each.chosen for each in assay.rerank(GROUPS, scores=path)] == [2, 1, 1]
    lower = assay.rerank(GROUPS, scores=f"mqm={path}", lower_is_better="mqm")
    assert [each.chosen for each in lower] == [1, 2, 1]
    assert lower.metric == "mqm"
    assert [each.chosen for each in assay.rerank(GROUPS, scores=[1, 5, 3, 5, 2, 1, 0])] == [2, 1, 1]


def test_empty_candidates_are_compared_like_others():
    result = assay.rerank([["", "", "a"], ["", ""]], "chrf")
    assert result.texts == ("a", "")
    assert any("4 candidates are empty" in str(note) for note in result.notes)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads_writes_the_same_bytes(tmp_path, threads):
    groups = [[f"{word} {k} of {number}" for k in range(9) for word in ("one", "two")] for number in range(40)]
    files = {}
    for count in (1, threads):
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        for suffix in ("npz", "jsonl", "tsv"):
            matrix = folder / f"matrix.{suffix}"
            assay.rerank(groups, "chrf", output=folder / "out", matrix=matrix, force=True, threads=count)
        files[count] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert files[1] == files[threads]
    assert set(files[1]) == {"out", "out.rerank.json", "matrix.npz", "matrix.jsonl", "matrix.tsv"}


def test_the_matrix_in_every_form(tmp_path):
    for suffix in ("npz", "jsonl", "tsv"):
        result = assay.rerank(GROUPS, "chrf", matrix=tmp_path / f"m.{suffix}")
    arrays = np.load(tmp_path / "m.npz")
    assert arrays["shapes"].tolist() == [[4, 4], [2, 2], [1, 1]]
    assert arrays["utilities"].shape == (16 + 4 + 1,)
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert [line["segment"] for line in lines] == [1, 2, 3]
    flat = [value for line in lines for row in line["utilities"] for value in row]
    assert flat == arrays["utilities"].tolist()
    rows = [line.split("\t") for line in (tmp_path / "m.tsv").read_text().splitlines()]
    assert rows[0] == ["segment", "candidate", "pseudo_reference", "utility"]
    assert [float(row[3]) for row in rows[1:]] == flat
    np.testing.assert_allclose(result.segments[0].values, np.reshape(flat[:16], (4, 4)).mean(axis=1))


@pytest.mark.warns("were chosen by chrf")
def test_the_metric_that_chose_must_not_judge(tmp_path):
    chosen, other = tmp_path / "new.en", tmp_path / "base.en"
    result = assay.rerank(GROUPS, "chrf", output=chosen)
    (warning,) = advice(result.notes)
    assert "texts that were chosen by chrf must not be judged by it" in warning
    other.write_text("the cat\nsome dogs run\nonly two\n")
    references = {"ref": ["the cat sat down", "the dogs run", "only one thing"]}
    testset = assay.load(outputs={"new": chosen, "base": other}, references=references)
    run = assay.score(testset, ["chrf", "chrf++", "bleu", "ter"], resamples=0)
    found = advice(run.notes)
    assert [text.split(":")[0] for text in found] == ["chrf", "chrf++", "bleu", "ter"]
    assert "were chosen by chrf, the same metric" in found[0]
    assert "which also rewards words or characters in common" in found[2]
    comparison = assay.compare(testset, "chrf", resamples=10)
    assert any("were chosen by chrf" in text for text in advice(comparison.notes))
    page = tmp_path / "page.html"
    assay.report(comparison, output=page)
    assert "were chosen by chrf, the same metric" in page.read_text()


@pytest.mark.warns("were chosen by markup")
def test_other_kinds_of_metrics_may_judge(tmp_path):
    chosen = tmp_path / "new.en"
    assay.rerank([["<b>the cat</b>", "cat"]], "markup", sources=["<b>x</b>"], output=chosen)
    testset = assay.load(outputs={"new": chosen}, references={"ref": ["the cat"]}, sources=["<b>x</b>"])
    assert not advice(assay.score(testset, "chrf", resamples=0).notes)
    (warning,) = advice(assay.score(testset, "markup", resamples=0).notes)
    assert "the same metric" in warning


def test_a_record_of_another_text_is_noted_and_not_used(tmp_path):
    chosen = tmp_path / "new.en"
    assay.rerank(GROUPS, "chrf", output=chosen)
    chosen.write_text("edited\nsince\nthen\n")
    testset = assay.load(outputs={"new": chosen}, references={"ref": ["a", "b", "c"]})
    assert not testset.chosen_by
    assert any("is of another text" in str(note) for note in testset.notes)
    (tmp_path / "new.en.rerank.json").write_text("{")
    testset = assay.load(outputs={"new": chosen})
    assert any("cannot be read as JSON" in str(note) for note in testset.notes)
    (tmp_path / "new.en.rerank.json").write_text("{}")
    assert any("is not a record of assay rerank" in str(note) for note in assay.load(outputs={"new": chosen}).notes)


def test_a_result_can_be_saved_and_opened(tmp_path):
    result = assay.rerank(GROUPS, "chrf")
    assay.save_result(result, tmp_path / "saved")
    opened = assay.open_result(tmp_path / "saved")
    assert opened.to_dict() == result.to_dict()
    assert repr(opened).startswith("Reranking(chrf, 3 segments)")
    assert opened.segments[0].values == result.segments[0].values


REFUSED = {
    "neither a metric": (lambda: assay.rerank(GROUPS), "neither a metric nor scores were given"),
    "both": (lambda: assay.rerank(GROUPS, "chrf", scores=[1.0]), "both a metric and scores were given"),
    "no segments": (lambda: assay.rerank([], "chrf"), "there are no candidates"),
    "no candidates": (lambda: assay.rerank([["a"], []], "chrf"), "segment 2 has no candidate"),
    "a flat list": (lambda: assay.rerank(["a", "b"], "chrf"), "segment 1: a text is not a list of candidates"),
    "numbers": (lambda: assay.rerank([[1]], "chrf"), "segment 1, candidate 1: int is not text"),
    "None": (lambda: assay.rerank([["a", None]], "chrf"), "segment 1, candidate 2: NoneType is not text"),
    "a lone surrogate": (lambda: assay.rerank([["\ud800"]], "chrf"), "a lone surrogate is not text"),
    "no such metric": (lambda: assay.rerank(GROUPS, "chrff"), "chrff"),
    "no sources": (lambda: assay.rerank(GROUPS, "markup"), "markup needs the sources"),
    "too few sources": (
        lambda: assay.rerank(GROUPS, "markup", sources=["a"]),
        "sources has 1 source, but there are candidates of 3 segments",
    ),
    "too few scores": (lambda: assay.rerank(GROUPS, scores=[1.0]), "there are 1 score, but there are 7 candidates"),
    "infinite scores": (lambda: assay.rerank([["a"]], scores=[math.inf]), "not a list of finite numbers"),
    "words as scores": (lambda: assay.rerank([["a"]], scores=["x"]), "not a list of numbers"),
    "another name": (
        lambda: assay.rerank([["a"]], scores=[1.0], lower_is_better="qe"),
        "the scores are called 'scores'",
    ),
    "a matrix of scores": (lambda: assay.rerank([["a"]], scores=[1.0], matrix="m.npz"), "does not apply to scores"),
    "a matrix of a metric without reference": (
        lambda: assay.rerank([["a"]], "markup", sources=["a"], matrix="m.npz"),
        "does not apply to markup, which needs no reference",
    ),
    "a matrix in another format": (lambda: assay.rerank(GROUPS, "chrf", matrix="m.csv"), "has the suffix '.csv'"),
    "a matrix in no folder": (lambda: assay.rerank(GROUPS, "chrf", matrix="no/m.tsv"), "no such folder"),
    "a format of lists": (lambda: assay.rerank(GROUPS, "chrf", input_format="tsv"), "is for files"),
    "a number of lists": (lambda: assay.rerank(GROUPS, "chrf", per_segment=2), "is for files"),
    "annotations": (lambda: assay.rerank(GROUPS, "hwcm"), "needs the annotation layer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, message = REFUSED[name]
    with pytest.raises(AssayError) as caught:
        call()
    assert message in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_files_are_not_replaced(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    table = tmp_path / "mine.tsv"
    table.write_text("mine")
    with pytest.raises(AssayError, match="already exists"):
        assay.rerank(GROUPS, "chrf", output=path)
    with pytest.raises(AssayError, match="already exists"):
        assay.rerank(GROUPS, "chrf", matrix=table)
    assert path.read_text() == "mine"


def test_pseudo_references_in_a_plain_file(tmp_path):
    path = tmp_path / "pseudo.txt"
    path.write_text("a b\na c\nx\ny\n")
    assert assay.rerank([["a b", "z"], ["x", "z"]], "chrf", pseudo_references=path).texts == ("a b", "x")
    path.write_text("a\nb\nc\n")
    with pytest.raises(AssayError, match="3 lines cannot be the pseudo-references of 2 segments"):
        assay.rerank([["a b", "z"], ["x", "z"]], "chrf", pseudo_references=path)


@pytest.mark.warns("were chosen by chrf")
def test_no_calibration_of_texts_that_the_metric_chose(tmp_path):
    """What people thought of differences holds for systems that no metric chose."""
    chosen, rng = tmp_path / "new.en", random.Random(1)
    groups = [[" ".join(rng.choice("abcdefgh") for _ in range(8)) for _ in range(4)] for _ in range(60)]
    assay.rerank(groups, "chrf", output=chosen)
    outputs = {"new": chosen, "base": [group[0] for group in groups]}
    references = {"ref": [group[1] for group in groups]}
    testset = assay.load(outputs=outputs, references=references, lp="en-de")
    comparison = assay.compare(testset, ["chrf", "bleu"], resamples=50)
    explanations = [pair.explanation for metric in comparison.metrics for pair in metric.pairs]
    assert all("one like this chose those of new" in str(each.probability.reason) for each in explanations)
    assert comparison.joint == ()
