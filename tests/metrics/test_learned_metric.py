"""What learned metrics have in common, with a model that needs no library."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric
from assay.testing import check_metric
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.learned.made_up_model import MadeUpModel


@dataclass(frozen=True)
class Lengths(LearnedMetric):
    """The mean length of output and reference."""

    model_hint: ClassVar[str] = "any"

    def open_model(self):
        return MadeUpModel(frozenset({"source"} if self.model_source == "qe" else {"reference"}))


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


def test_an_empty_reference_counts_only_if_there_is_no_other():
    references = {"A": ["abcd", "", " "], "B": ["", "ab", ""]}
    testset = load(outputs={"x": ["ab", "ab", "ab"]}, references=references)
    for made in (Errors("m"), Lengths("m", references="mean")):
        first, second, third = scores(made, testset)[0]
        alone = scores(made, load(outputs={"x": ["ab", "ab"]}, references={"A": ["abcd", "ab"]}))[0]
        assert [first, second] == alone.tolist()
        assert not np.isnan(third)  # as the official programs score it


def test_outputs_that_are_truncated_and_what_was_saved_are_reported():
    notes = {note.kind: note for note in Lengths("m").advice(TESTSET)}
    truncated = notes[NoteKind.CHANGED]
    assert (truncated.count, truncated.severity) == (1, "warning")
    assert truncated.text == (
        "1 output (first: y, line 3) scored without the end of a text: its texts have more than the 9 tokens that "
        "made-up reads; window=9 scores such outputs in parts"
    )
    saved = notes[NoteKind.PROVENANCE]
    assert saved.count == 6
    assert saved.text == "made-up: 6 distinct inputs among 16; equal ones are computed once"
    nothing = load(outputs={"x": [None, "a"]}, references=["a", None])
    assert list(Lengths("m").advice(nothing)) == []


LONG = load(outputs={"x": ["abc", "abcde fgh ij", ""], "y": ["a", "a b", "a"]}, references=["ab", "ab cd", "x" * 12])


def test_long_texts_are_scored_in_windows_and_averaged_by_length():
    """At most 9 characters are read, and the score of two texts is their mean length plus 1."""
    whole, made = scores(Lengths("m"), LONG), scores(Lengths("m", window=9), LONG)
    assert whole[0].tolist() == [3.5, 8, 5.5]
    windows = [("abcde", "ab"), ("fgh ij", "cd")]
    lengths = [len(output) for output, _ in windows]
    means = [(len(output) + len(reference)) / 2 + 1 for output, reference in windows]
    assert made[0].tolist() == [3.5, pytest.approx(np.average(means, weights=lengths)), 5.5]
    np.testing.assert_array_equal(made[1], whole[1])


def test_windows_are_reported_and_what_cannot_be_cut_is_truncated():
    changed = [note for note in Lengths("m", window=9).advice(LONG) if note.kind == NoteKind.CHANGED]
    assert [(note.count, note.severity) for note in changed] == [(1, "note"), (2, "warning")]
    assert changed[0].text == (
        "1 output (first: x, line 2) of more than 9 tokens scored in 2 windows, whose scores are averaged by length"
    )
    assert changed[1].text.endswith("9 tokens that made-up reads; cutting them into windows does not help")


def test_a_window_that_the_model_cannot_read():
    with pytest.raises(ConfigError, match="window=10 is more than the 9 tokens that made-up reads") as raised:
        score(LONG, "lengths:m,window=10", resamples=0)
    assert raised.value.hint == "window=9, or fewer"
    with pytest.raises(ConfigError, match="window must not be negative"):
        metric.create("lengths:m,window=-1")


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
def test_half_precision_says_how_much_it_changes(precision, monkeypatch):
    monkeypatch.setattr(Lengths, "measured_deviations", {"fp16": "system scores by up to 0.0004"})
    (note,) = (note for note in Lengths("m", precision=precision).advice(TESTSET) if note.kind == NoteKind.ADVICE)
    expected = {
        "fp16": "fp16 changes system scores by up to 0.0004 (with random weights); use fp32 to rank",
        "bf16": "bf16 changes scores by an unmeasured amount; use fp32 to rank systems with close scores",
    }
    assert note.text.startswith(expected[precision])
    assert NoteKind.ADVICE not in {note.kind for note in Lengths("m").advice(TESTSET)}


@pytest.mark.warns("scored without the end")
def test_notes_and_digests_are_in_a_run():
    run = score(TESTSET, "lengths:m", resamples=0)
    assert "model.digest:sha256-0" in str(run["lengths:m"].signature)
    assert {NoteKind.CHANGED, NoteKind.PROVENANCE, NoteKind.EXCLUDED} <= {note.kind for note in run.notes}


def test_a_model_that_changes_during_a_run_is_an_error(monkeypatch):
    """The signature would name another model than the one that computed the scores."""

    def open_model(self):
        model = MadeUpModel()
        model.digests = {"model": f"sha256-{next(opened)}"}
        return model

    opened = itertools.count()
    monkeypatch.setattr(Lengths, "open_model", open_model)
    with pytest.raises(InputError, match="made-up: changed while it was in use"):
        score(TESTSET, "lengths:m", resamples=0)


@pytest.mark.warns("scored without the end")
def test_a_model_that_changes_after_a_run_is_not_in_its_signature(monkeypatch):
    run = score(TESTSET, "lengths:m", resamples=0)
    monkeypatch.setattr(MadeUpModel, "__init__", None)  # cannot be opened any more
    assert "model.digest:sha256-0" in str(run["lengths:m"].signature)


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


@pytest.mark.parametrize(("option", "value"), [("precision", "fp8"), ("references", "worst")])
def test_unknown_options(option, value):
    with pytest.raises(ConfigError, match=f"{option}.*{value}"):
        metric.create(f"lengths:m,{option}={value}")


def test_a_test_set_is_tokenised_once_for_scores_and_notes(monkeypatch):
    calls, encode = [], MadeUpModel.encode

    def counting(self, segments):
        calls.append(len(segments))
        return encode(self, segments)

    monkeypatch.setattr(MadeUpModel, "encode", counting)
    made = Lengths("m")
    made.statistics(TESTSET, Runtime())
    list(made.advice(TESTSET))
    assert calls == [8]
    made.statistics(TESTSET.take([0]), Runtime())
    assert calls == [8, 4]


def test_tolerance_depends_on_the_precision():
    assert Lengths("m").tolerance < Lengths("m", precision="fp16").tolerance < Lengths("m", precision="bf16").tolerance


@pytest.mark.parametrize("made", [Lengths("m"), Lengths("qe"), Errors("m", references="mean")])
def test_the_contract(made):
    check_metric(made, skip=["direction"])
