"""An annotator that needs no package: words between spaces, each the head of the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from assay.annotators import Annotator, annotator
from assay.types import AnnotatedSentence, Word


@dataclass(frozen=True)
class MadeUpAnnotator(Annotator):
    """Counts the texts that it annotates."""

    language: str = "xx"
    tag: str = "NOUN"
    annotated: ClassVar[list[str]] = []

    def for_language(self, language):
        return replace(self, language=language)

    @property
    def program(self):
        return "made-up 1"

    @property
    def model_version(self):
        return self.language

    def annotate(self, texts):
        for text in texts:
            self.annotated.append(text)
            words = (Word(word, word.lower(), self.tag, "N", i, "dep") for i, word in enumerate(text.split()))
            yield [AnnotatedSentence(text, tuple(words))] if text.split() else []


def register(monkeypatch):
    """Make it an annotator for the length of a test."""
    annotator.names()  # read our own first, or they would be registered for this test only
    monkeypatch.setattr(annotator, "_types", dict(annotator._types))
    MadeUpAnnotator.annotated.clear()
    annotator("made-up")(MadeUpAnnotator)
