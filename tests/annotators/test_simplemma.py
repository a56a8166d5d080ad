from __future__ import annotations

import re
from pathlib import Path

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


def test_the_documented_languages():
    """Those that have no other annotator, and those that have one."""
    factory = pytest.importorskip("simplemma.strategies.dictionaries.dictionary_factory")
    page = (Path(__file__).parents[2] / "docs/methods/annotations.md").read_text(encoding="utf-8")
    (usual,) = re.findall(r"^simplemma 2\.0: (.*?); with", page, re.M | re.S)
    (others,) = re.findall(r"with `--annotator simplemma` also (.*?)\. ", page)
    documented = re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", usual))
    assert {*documented, *re.findall(r"`(\w+)`", others)} == set(factory.SUPPORTED_LANGUAGES)
    assert f"| {len(documented)} other languages " in page
    for language in documented:
        assert type(find_annotator(None, language)).name == "simplemma"
