"""What learned metrics have in common, with a model that needs no library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric
from assay.runtime import Runtime
from assay.types import NoteKind
from tests.learned.contract import check_without_direction
from tests.learned.made_up_model import MadeUpModel


@dataclass(frozen=True)
class Lengths(LearnedMetric):
    """The mean length of output and reference."""

    advice_on_models: ClassVar[str] = "any"

    def opened(self):
        return MadeUpModel(frozenset({"source"} if self.model == "qe" else {"reference"}))


@dataclass(frozen=True)
class Errors(Lengths):
    """The same, as errors."""

    @property
    def higher_is_better(self):
        return False


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    metric("lengths")(Lengths)
    metric("length-errors")(Errors)


TESTSET = load(
    outputs={"x": ["abc", None, "abcde", "a"], "y": ["abc", "ab", "x" * 12, "a"]},
    references={"A": ["a", "ab", "abc", None], "B": ["abc", "abcd", None, None]},
)


def scores(made, testset=TESTSET):
    return made.score(made.statistics(testset, Runtime(threads=1)))


def test_cells_without_texts_are_zeros():
    table = Lengths("m").statistics(TESTSET, Runtime())
    assert table.shape == (2, 4, 2)
    assert table[..., 1].tolist() == [[1, 0, 1, 0], [1, 1, 1, 0]]
    assert not table[0, 1].any()


def test_the_best_reference_or_their_mean_counts():
    np.testing.assert_array_equal(scores(Lengths("m"))[1], [4, 4, 7, np.nan])
    np.testing.assert_array_equal(scores(Lengths("m", references="mean"))[1], [3.5, 3.5, 7, np.nan])
    np.testing.assert_array_equal(scores(Errors("m"))[1], [3, 3, 7, np.nan])


def test_segments_that_are_cut_and_what_was_saved_are_reported():
    notes = {note.kind: note for note in Lengths("m").advice(TESTSET)}
    cut = notes[NoteKind.CHANGED]
    assert (cut.count, cut.severity) == (1, "warning")
    assert "1 output with a text of more than 9 tokens" in cut.text
    saved = notes[NoteKind.PROVENANCE]
    assert saved.count == 6
    assert "6 distinct inputs instead of 16" in saved.text
    nothing = load(outputs={"x": [None, "a"]}, references=["a", None])
    assert list(Lengths("m").advice(nothing)) == []


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
def test_half_precision_says_how_much_it_changes(precision, monkeypatch):
    monkeypatch.setattr(Lengths, "half_precision", {"fp16": "a system's by up to 0.0004"})
    (note,) = (note for note in Lengths("m", precision=precision).advice(TESTSET) if note.kind == NoteKind.ADVICE)
    known = {"fp16": "a system's by up to 0.0004; use fp32", "bf16": "not known for this metric; use fp32"}
    assert known[precision] in note.text
    assert NoteKind.ADVICE not in {note.kind for note in Lengths("m").advice(TESTSET)}


def test_notes_and_digests_are_in_a_run():
    run = score(TESTSET, "lengths:m", resamples=0)
    assert "model.digest:sha256-0" in str(run["lengths:m"].signature)
    assert {NoteKind.CHANGED, NoteKind.PROVENANCE, NoteKind.EXCLUDED} <= {note.kind for note in run.notes}


def test_a_model_that_reads_no_references():
    testset = load(outputs={"x": ["ab", "a"]}, sources=["abcd", None])
    assert Lengths("qe").needs == {"source"}
    run = score(testset, "lengths:qe", resamples=0)
    assert run["lengths:qe"].headline["x"] == 4.0
    with pytest.raises(ConfigError, match="references=mean has no effect"):
        score(testset, "lengths:qe,references=mean", resamples=0)


def test_without_a_model_an_error_says_what_to_do():
    assert Lengths().needs == {"source", "reference"}
    for testset in (TESTSET, load(outputs={"x": ["a"]})):
        with pytest.raises(ConfigError, match="the metric lengths needs a model") as raised:
            score(testset, "lengths")
        assert "lengths:model=FOLDER, any" in raised.value.hint
        assert "--scores lengths=FILE" in raised.value.hint


@pytest.mark.parametrize("spec", ["lengths:m,precision=fp8", "lengths:m,references=worst"])
def test_unknown_options(spec):
    with pytest.raises(ConfigError):
        metric.create(spec)


def test_tolerance_depends_on_the_precision():
    assert Lengths("m").tolerance < Lengths("m", precision="fp16").tolerance < Lengths("m", precision="bf16").tolerance


@pytest.mark.parametrize("made", [Lengths("m"), Lengths("qe"), Errors("m", references="mean")])
def test_the_contract(made):
    check_without_direction(made)
