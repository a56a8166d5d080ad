"""WER by hand; tests/oracle compares it with rapidfuzz and the Moses scorer."""

from __future__ import annotations

import math

import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.types import NoteKind


def wer(output, *references, spec="wer"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


def test_by_hand():
    found = wer("a x c d", "a b c")
    assert found.statistics.table[0, 0].tolist() == [2, 3]
    assert found.corpus["x"] == pytest.approx(200 / 3)
    assert not found.higher_is_better


@pytest.mark.warns("nothing was scored")
def test_no_reference_words_is_undefined():
    found = wer("a", "")
    assert math.isnan(found.corpus["x"])
    assert found.corpus.estimate("x").reason == "the references are empty"


def test_moses():
    found = wer("a x c d", "a b c", spec="WER-MOSES")
    assert found.corpus["x"] == pytest.approx(1 / 3)
    assert found.higher_is_better
    assert wer("a", "", spec="wer-moses").corpus["x"] == 1


def test_several_references():
    """The fewest edits over the mean length; Moses keeps the first reference unless another is met exactly."""
    assert wer("a b c", "a x y", "a b x z").statistics.table[0, 0].tolist() == [2, 3.5]
    assert wer("a b c", "a x y", "a b x", spec="wer-moses").statistics.table[0, 0].tolist() == [2, 3]
    assert wer("a b c", "a x y", "a b c", spec="wer-moses").statistics.table[0, 0].tolist() == [0, 3]
    assert wer("a b c", "x", "a y z", spec="wer-moses").statistics.table[0, 0].tolist() == [2, 3]  # 1 - 3 is -2
    assert wer("a b c", "a x y", "a b x", spec="wer-moses:multi_ref=best").statistics.table[0, 0].tolist() == [1, 3]


def test_absent_references_do_not_count():
    testset = load(outputs={"x": ["a b", "a"]}, references={"A": [None, "a"], "B": ["a b c", None]})
    for spec in ("wer", "wer-moses"):
        assert score(testset, spec, resamples=0)[spec].statistics.table[0].tolist() == [[1, 3], [0, 1]]


def test_tokenisers_and_case():
    assert wer("Yes.", "yes .").corpus["x"] == 100
    assert wer("Yes.", "yes .", spec="wer:tok=13a,lowercase=yes").corpus["x"] == 0
    assert wer("我们", "我 们", spec="wer:tok=char").corpus["x"] == 0
    assert wer("a\tb", "a b").corpus["x"] == 0
    assert wer("a\tb", "a b", spec="wer-moses").corpus["x"] == 0  # two edits of two words: Moses knows U+0020 only


def test_choices():
    for spec in ("wer:flavour=x", "wer:multi_ref=x", "wer:tok=x"):
        with pytest.raises(ConfigError):
            wer("a", "a", spec=spec)


def test_advice():
    (note,) = score(load(outputs={"x": ["我们"]}, references=["我们去"]), "wer", resamples=0).notes
    assert (note.kind, note.where) == (NoteKind.ADVICE, "wer")
