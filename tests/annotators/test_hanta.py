from __future__ import annotations

import pytest

from assay.annotators import find_annotator
from assay.annotators.hanta import Hanta


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("NN", "NOUN"), ("VV(FIN)", "VERB"), ("VA(FIN)", "AUX"), ("ART", "DET"), ("APPR", "ADP"), ("PTKVZ", "ADP"),
     ("PTKNEG", "PART"), ("PPER", "PRON"), ("PPOSAT", "DET"), ("ADJ(A)", "ADJ"), ("KOUS", "SCONJ"), ("?", "X")],
)  # fmt: skip
def test_universal_parts_of_speech(tag, expected):
    assert Hanta("de")._universal("Wort", tag) == expected
    assert Hanta("de")._universal("–", tag) == "PUNCT"


def test_sentences():
    pytest.importorskip("HanTa")
    annotator = find_annotator(None, "de")
    (sentence,), empty = annotator.annotate(["Die Katzen saßen auf der Matte.", ""])
    assert [word.lemma for word in sentence.words] == ["der", "Katze", "sitzen", "auf", "der", "Matte", "."]
    assert [word.pos for word in sentence.words] == ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"]
    assert {word.head for word in sentence.words} == {None}
    assert empty == []
    assert (annotator.program, annotator.model_version) == ("HanTa 1.2.1", "morphmodel_ger")


def test_dutch():
    pytest.importorskip("HanTa")
    ((sentence,),) = find_annotator("hanta", "nl").annotate(["De katten zaten op de mat."])
    assert [word.pos for word in sentence.words] == ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"]
