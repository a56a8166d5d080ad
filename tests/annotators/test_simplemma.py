from __future__ import annotations

import pytest

from assay.annotators import find_annotator
from assay.errors import ConfigError


def test_sentences():
    pytest.importorskip("simplemma")
    annotator = find_annotator(None, "pl")
    (sentence,), empty = annotator.annotate(["Psy biegały.", ""])
    assert [(word.form, word.lemma) for word in sentence.words] == [("Psy", "pies"), ("biegały", "biegać"), (".", ".")]
    assert {(word.pos, word.head) for word in sentence.words} == {(None, None)}
    assert empty == []
    assert annotator.program.startswith("simplemma ")
    assert annotator.model_version == "pl"


def test_languages():
    pytest.importorskip("simplemma")
    assert find_annotator("simplemma", "hr").language == "hbs"
    assert find_annotator("simplemma:language=de", "hr").language == "de"
    with pytest.raises(ConfigError, match="simplemma has no model for the language 'zh'"):
        find_annotator(None, "zh")
