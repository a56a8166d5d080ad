"""Annotated words: what a tagger or parser says about a text, and the annotation layers of a test set made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from assay.types.column import Column, as_column

__all__ = ["WORD_LAYERS", "AnnotatedSegment", "AnnotatedSentence", "Word", "first_circle", "head_of", "word_layers"]

WORD_LAYERS = ("tokens", "lemma", "pos", "xpos", "dependencies")
"""Layers with one value for each word, with spaces between them."""

_UNKNOWN = "_"  # as in CoNLL-U


class Word(NamedTuple):
    """A word of a sentence; None for what the annotation does not say."""

    form: str
    lemma: str | None = None
    pos: str | None = None
    """The universal part of speech, such as NOUN."""
    xpos: str | None = None
    """The tag of the language's own tag set, such as NNS."""
    head: int | None = None
    """The number of the word that it depends on, from 1; 0 for a root."""
    relation: str | None = None
    has_space_after: bool = True


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A sentence as it stands in the text, and its words."""

    text: str
    words: tuple[Word, ...]


AnnotatedSegment: TypeAlias = Sequence[AnnotatedSentence]
"""A segment may have several sentences; one without words has none."""


def word_layers(segments: Iterable[AnnotatedSegment | None]) -> dict[str, Column]:
    """The layers that these segments have: for each segment the values of its words, with spaces between them.

    A value of `dependencies` is the head and the relation, `2:nsubj`. Words are counted through all sentences of a
    segment, from 1. A layer that no word has is left out; in others, `_` stands for a value that is not known.
    """
    texts: dict[str, list[str | None]] = {layer: [] for layer in WORD_LAYERS}
    is_known = dict.fromkeys(WORD_LAYERS[1:], False) | {"tokens": True}
    for segment in segments:
        if segment is None:
            for column in texts.values():
                column.append(None)
            continue
        values = _values(segment)
        for layer, column in texts.items():
            column.append(" ".join([value or _UNKNOWN for value in values[layer]]))
            is_known[layer] = is_known[layer] or any(values[layer])
    return {layer: as_column(column) for layer, column in texts.items() if is_known[layer]}


def _values(segment: AnnotatedSegment) -> dict[str, list[str | None]]:
    values: dict[str, list[str | None]] = {layer: [] for layer in WORD_LAYERS}
    for sentence in segment:
        first = len(values["tokens"])
        for word in sentence.words:
            values["tokens"].append(_joined(word.form))
            values["lemma"].append(_joined(word.lemma))
            values["pos"].append(word.pos)
            values["xpos"].append(_joined(word.xpos))
            values["dependencies"].append(_dependency(word, first))
    return values


def _dependency(word: Word, first: int) -> str | None:
    if word.head is None:
        return None
    return f"{word.head + first if word.head else 0}:{word.relation or _UNKNOWN}"


def _joined(text: str | None) -> str | None:
    """A word with spaces in it, such as `20 000`, is one value."""
    return text if text is None or text.isalnum() else _UNKNOWN.join(text.split())


def head_of(dependency: str) -> int:
    """The head in a value of the layer `dependencies`, from 1; 0 for a root and for a word without a known head."""
    number = dependency.partition(":")[0]
    return int(number) if number.isdecimal() else 0


def first_circle(heads: Sequence[int]) -> list[int] | None:
    """The numbers of words that depend on each other in a circle; None if the heads, from 1, are those of trees."""
    visited_from = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        number = start
        while number and not visited_from[number]:
            visited_from[number] = start
            number = heads[number - 1]
        if number and visited_from[number] == start:
            circle = [number]
            while (number := heads[number - 1]) != circle[0]:
                circle.append(number)
            return circle
    return None
