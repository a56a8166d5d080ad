"""Punctuation that is attached to words makes other words, if words are split at white space."""

from __future__ import annotations

import pytest

from assay import load, score
from assay.text.punctuation import is_tokenized
from assay.types import NoteKind, as_column


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["A cat, a dog.", "Yes!"], False),
        (["A cat , a dog .", None, "Yes !"], True),
        (["3.5 U.S. a:b"], False),  # U.S. may be the end of a sentence
        (["no punctuation", ""], None),
        (["a ... b"], None),
    ],
)
def test_tokenised_texts(texts, expected):
    assert is_tokenized(as_column(texts)) is expected


def notes(spec, outputs, reference):
    run = score(load(outputs=outputs, references=[reference]), spec, resamples=0)
    return [(note.kind, note.severity, note.in_full) for note in run.notes if "white space" in note.text]


@pytest.mark.parametrize("name", ["hlepor", "lepor", "nlepor", "hjerson"])
def test_advice_to_tokenise(name):
    ((kind, severity, text),) = notes(name, {"x": ["The cat sat."]}, "A cat sat.")
    assert (kind, severity) == (NoteKind.ADVICE, "note")
    assert text == f"words are split at white space, so that 'word.' differs from 'word' (use {name}:tok=13a)"
    assert notes(f"{name}:tok=13a", {"x": ["The cat sat."]}, "A cat sat.") == []
    assert notes(name, {"x": ["The cat sat ."]}, "A cat sat .") == []


@pytest.mark.warns("punctuation is attached")
def test_texts_of_which_only_some_are_tokenised():
    ((kind, severity, text),) = notes("hlepor", {"x": ["The cat sat."], "y": ["The cat sat ."]}, "A cat sat.")
    assert (kind, severity) == (NoteKind.SUSPECT, "warning")
    assert text.startswith("punctuation is attached to words in ref, x, but not in y: ")


def test_advice_for_texts_without_spaces_comes_alone():
    testset = load(outputs={"x": ["猫坐在垫子上。"]}, references=["猫在垫子上, 坐着. ok."], lp="en-zh")
    texts = [note.text for note in score(testset, "hlepor", resamples=0).notes if note.where == "hlepor"]
    assert [text for text in texts if "tok=" in text] == [
        "words are counted between spaces, but the references are written without spaces: use hlepor:tok=zh"
    ]
