"""natasha: words, lemmas, tags and dependencies of Russian (github.com/natasha/natasha)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.annotators import Annotator, annotator, importing, missing_model_error, package_version
from assay.types import AnnotatedSegment, AnnotatedSentence, Word, find_cycle

__all__ = ["Natasha"]

_LANGUAGE = "ru"


@annotator("natasha")
@dataclass(frozen=True)
class Natasha(Annotator):
    """Russian words, lemmas (of pymorphy2), tags and dependencies (of slovnet)."""

    def for_language(self, language: str) -> Natasha:
        if language != _LANGUAGE:
            raise missing_model_error("natasha", language, (_LANGUAGE,))
        return self

    @property
    def program(self) -> str:
        return f"natasha {_version('natasha')}"

    @property
    def model_version(self) -> str:
        return f"slovnet {_version('slovnet')} pymorphy2-dicts {_version('pymorphy2-dicts-ru')}"

    def annotate(self, texts: Sequence[str]) -> Iterator[AnnotatedSegment]:
        models = _models()
        for text in texts:
            document = models.document(text)
            document.segment(models.segmenter)
            document.tag_morph(models.tagger)
            document.parse_syntax(models.parser)
            for token in document.tokens:
                token.lemmatize(models.lemmas)
            yield [AnnotatedSentence(sentence.text, tuple(_words(sentence.tokens))) for sentence in document.sents]


@dataclass(frozen=True)
class _Models:
    document: Any
    segmenter: Any
    tagger: Any
    parser: Any
    lemmas: Any


@functools.cache
def _models() -> _Models:
    with importing("natasha"):
        import natasha

        vectors = natasha.NewsEmbedding()
        return _Models(
            natasha.Doc,
            natasha.Segmenter(),
            natasha.NewsMorphTagger(vectors),
            natasha.NewsSyntaxParser(vectors),
            natasha.MorphVocab(),
        )


def _version(package: str) -> str:
    return package_version(package, "natasha")


def _words(tokens: Sequence[Any]) -> Iterator[Word]:
    heads = _without_cycles([int(token.head_id.partition("_")[2]) for token in tokens])
    for i, (token, head) in enumerate(zip(tokens, heads, strict=True)):
        has_space_after = i + 1 == len(tokens) or token.stop < tokens[i + 1].start
        relation = token.rel if head else "root"
        yield Word(token.text, token.lemma, token.pos, None, head, relation, has_space_after)


def _without_cycles(heads: Sequence[int]) -> list[int]:
    """The heads of a forest: the parser chooses each head by itself, and the first word of a cycle becomes a root."""
    forest = [head if 0 <= head <= len(heads) and head != number else 0 for number, head in enumerate(heads, 1)]
    while (cycle := find_cycle(forest)) is not None:
        forest[min(cycle) - 1] = 0
    return forest
