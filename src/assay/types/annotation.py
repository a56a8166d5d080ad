"""Words annotated by a tagger or parser, and their conversion to layers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from assay.errors import InputError, printable, shortened
from assay.types.column import Column, as_column
from assay.types.note import plural
from assay.types.semantic_roles import Frame, Role, frames_text

__all__ = [
    "WORD_LAYERS",
    "AnnotatedSegment",
    "AnnotatedSentence",
    "Word",
    "aligned_words",
    "check_heads",
    "check_sempos",
    "find_cycle",
    "head_of",
    "word_layers",
]

WORD_LAYERS = ("tokens", "lemma", "pos", "xpos", "dependencies")
"""Layers with one value for each word, with spaces between them."""

UNNAMED = "unnamed"
"""The annotator of a layer if no program is named."""

_UNKNOWN = "_"  # as in CoNLL-U
_PAIR = re.compile(r"\d{1,9}-\d{1,9}", re.ASCII)
_DEPENDENCY = re.compile(rf"{_UNKNOWN}|(?P<head>\d{{1,9}})(:.*)?", re.ASCII)

_HEAD_HINT = "a head is the number of a word of the segment, counted from 1 through all its sentences, or 0 for a root"
ALIGNMENT_HINT = "pairs of source and target words, counted from 0 and separated by white space, such as 0-0 1-2"
CYCLE_HINT = "from each word, heads must lead to a root, whose head is 0: one of these words needs another head"


class Word(NamedTuple):
    """A word of a sentence; None for what is unknown."""

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
    frames: tuple[Frame, ...] | None = None
    """Predicates with their arguments; None if they are not known."""


AnnotatedSegment: TypeAlias = Sequence[AnnotatedSentence]
"""A segment may have several sentences; one without words has none."""


def word_layers(segments: Iterable[AnnotatedSegment | None]) -> dict[str, Column]:
    """The layers that these segments have: for each segment the values of its words, with spaces between them.

    A value of `dependencies` is the head and the relation, `2:nsubj`. Words are counted through all sentences of a
    segment, from 1. A layer that no word has is left out; in others, a segment in which a word has no value is None.
    The layer `roles` has the frames of all sentences.
    """
    segments = list(segments)
    texts: dict[str, list[str | None]] = {layer: [] for layer in WORD_LAYERS}
    is_known = dict.fromkeys(WORD_LAYERS[1:], False) | {"tokens": True}
    for segment in segments:
        if segment is None:
            for column in texts.values():
                column.append(None)
            continue
        values = _values(segment)
        for layer, column in texts.items():
            known = [value for value in values[layer] if value]
            column.append(" ".join(known) if len(known) == len(values[layer]) else None)
            is_known[layer] = is_known[layer] or bool(known)
    layers = {layer: as_column(column) for layer, column in texts.items() if is_known[layer]}
    if any(sentence.frames is not None for segment in segments for sentence in segment or ()):
        layers["roles"] = as_column(map(_frames, segments))
    return layers


def _frames(segment: AnnotatedSegment | None) -> str | None:
    if segment is None or any(sentence.frames is None for sentence in segment):
        return None
    frames: list[Frame] = []
    first = 0
    for sentence in segment:
        for frame in sentence.frames or ():
            frames.append(tuple(Role(role.label, role.start + first, role.end + first) for role in frame))
        first += len(sentence.words)
    return frames_text(frames)


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
    parts = _DEPENDENCY.fullmatch(dependency)
    if parts is None:
        message = f"'{printable(shortened(dependency))}' is not a head and a relation, such as 2:nsubj"
        raise InputError(message, hint=_HEAD_HINT)
    return int(parts["head"] or 0)


def check_heads(heads: Sequence[int]) -> None:
    """Raise if the heads of a segment, from 1, are not those of trees."""
    if max(heads, default=0) > len(heads):
        message = f"head {max(heads)} is out of range: the segment has {plural(len(heads), 'word')}"
        raise InputError(message, hint=_HEAD_HINT)
    if (cycle := find_cycle(heads)) is not None:
        message = f"the heads form a cycle: {' → '.join(map(str, (*cycle, cycle[0])))}"
        raise InputError(message, hint=CYCLE_HINT)


def aligned_words(value: str) -> tuple[int, int]:
    """The source word and the target word of a value of the layer `alignment`, from 0."""
    if _PAIR.fullmatch(value) is None:
        raise InputError(
            f"the alignment is not in Pharaoh format: '{printable(shortened(value))}'", hint=ALIGNMENT_HINT
        )
    source, target = map(int, value.split("-"))
    return source, target


def check_sempos(value: str) -> None:
    """Raise if a value of the layer `sempos` is not of the form `lemma|class`."""
    lemma, _, name = value.partition("|")
    if not lemma or not name or "|" in name:
        message = f"'{printable(shortened(value))}' is not of the form lemma|class"
        raise InputError(message, hint="a lemma and a class with one | between them, such as cat|n.denot")


def find_cycle(heads: Sequence[int]) -> list[int] | None:
    """The numbers of words that depend on each other in a cycle; None if the heads, from 1, are those of trees."""
    visited_from = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        number = start
        while number and not visited_from[number]:
            visited_from[number] = start
            number = heads[number - 1]
        if number and visited_from[number] == start:
            cycle = [number]
            while (number := heads[number - 1]) != cycle[0]:
                cycle.append(number)
            return cycle
    return None
