"""Which annotator is chosen, and what one without its package says."""

from __future__ import annotations

import sys

import pytest

from assay.annotators import annotator, find_annotator, split_words
from assay.errors import ConfigError, MissingExtraError


def test_names():
    assert annotator.names() == ["hanta", "natasha", "simplemma", "spacy"]


def test_the_usual_annotator_of_a_language(monkeypatch):
    assert type(find_annotator(None, "ru")).name == "natasha"
    assert type(find_annotator(None, "de")).name == "hanta"
    assert find_annotator(None, "cs").model == "cs_core_news_sm"
    assert find_annotator("spacy:model=xx_own", "qq").model == "xx_own"


@pytest.mark.parametrize("name", ["natasha", "spacy", "hanta"])
def test_a_language_without_a_model(name):
    with pytest.raises(ConfigError, match=f"{name} has no model for the language 'qq'"):
        find_annotator(name, "qq")


@pytest.mark.parametrize(
    ("name", "language", "package", "hint"),
    [
        ("spacy", "en", "spacy", 'pip install "assay\\[tagger\\]"'),
        ("natasha", "ru", "natasha", 'pip install "assay\\[tagger\\]"'),
        ("hanta", "de", "HanTa.HanoverTagger", r"pip install HanTa==1.2.1 \(licence: LGPL-3.0\)"),
        ("simplemma", "pl", "simplemma", 'pip install "assay\\[tagger\\]"'),
    ],
)
def test_a_missing_package(name, language, package, hint, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    for function in ("_pipeline", "_models", "_tagger", "_languages", "_lemmatizer"):
        module = sys.modules[f"assay.annotators.{name}"]
        if hasattr(module, function):
            getattr(module, function).cache_clear()
    monkeypatch.setitem(sys.modules, f"{package}.strategies.dictionaries.dictionary_factory", None)
    with pytest.raises(MissingExtraError, match=hint):
        list(find_annotator(name, language).annotate(["x"]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Der Hund, 20,5 %.", "Der|Hund|,|20,5|%|."),
        ("l'eau U.S.-Staat …", "l'eau|U.S|.|-|Staat|…"),
        (" \u2028 ", ""),
        ("नमस्ते!", "नमस्ते|!"),
    ],
)
def test_words(text, words):
    assert "|".join(split_words(text)) == words
