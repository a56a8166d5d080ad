"""Annotation layers in files of their own, with one line for each segment: `elm.de.pos` for the texts in `elm.de`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from assay.data.conllu import AnnotatedColumn, missing_values, without_spaces
from assay.data.text_files import read_column, shown_path
from assay.errors import AlignmentError, InputError, printable, shortened
from assay.types import (
    WORD_LAYERS,
    Column,
    aligned_words,
    as_column,
    check_frames,
    check_heads,
    check_sempos,
    frames_of,
    head_of,
)
from assay.types.annotation import UNNAMED
from assay.types.marked_errors import ERRORS, check_places, marked_errors
from assay.types.note import plural

__all__ = ["PLAIN_LAYERS", "check_spans", "check_word_counts", "read_layer"]

PLAIN_LAYERS = (*WORD_LAYERS, "alignment", "sempos", "roles", ERRORS)
"""Layers that are looked for in files of their own."""

_MAY_BE_EMPTY = ("alignment", "roles", ERRORS)  # there may be no words to align, no predicate, and no error
_UNKNOWN = "_"  # as in CoNLL-U


def read_layer(path: str | Path, layer: str, texts: Column) -> AnnotatedColumn:
    """The layer of these texts in a file.

    A segment with a text but without a value, or with an unknown value (`_`), has no value: a note counts them.
    """
    column, notes = read_column(path)
    shown = shown_path(path)
    if len(column) != len(texts):
        message = f"has {plural(len(column), 'line')}, but there are {plural(len(texts), 'segment')}"
        raise AlignmentError(message, path=shown, hint="one line for each segment is needed")
    if layer not in _MAY_BE_EMPTY:
        column = as_column(_value(layer, value or "", text) for value, text in zip(column, texts, strict=True))
        notes += missing_values(layer, column, texts, shown)
    elif layer == ERRORS:
        column = as_column(None if (value or "").strip() == _UNKNOWN else value for value in column)
    for line, (value, text) in enumerate(zip(column, texts, strict=True), 1):
        if value and text is not None:
            _check(layer, value, text, shown, line)
    return AnnotatedColumn({layer: column}, UNNAMED, tuple(notes))


def _value(layer: str, value: str, text: str | None) -> str | None:
    """The line of a segment; None if it is missing."""
    if text is None or not text.strip():
        return value
    if not value.strip():
        return None
    if layer == "tokens" or (layer == "lemma" and _UNKNOWN in text):  # `_` may be a word
        return value
    return None if _UNKNOWN in value and _UNKNOWN in value.split() else value


def _check(layer: str, value: str, text: str, path: str, line: int) -> None:
    """Raise if a value is faulty or contradicts the text."""
    if layer == "tokens" and _characters(value) != _characters(text):
        message = f"the tokens are not those of the text: '{printable(shortened(value))}'"
        hint = f"the text of the segment is '{printable(shortened(text))}'; a space inside a token is written as _"
        raise InputError(message, path=path, line=line, hint=hint)
    try:
        if layer == ERRORS:
            check_places(marked_errors(value), text)
        else:
            _CHECKS.get(layer, str)(value)
    except InputError as error:
        raise InputError(error.message, path=path, line=line, hint=error.hint) from None


def _check_each(check: Callable[[str], object]) -> Callable[[str], object]:
    return lambda value: [check(word) for word in value.split()]


_CHECKS: Mapping[str, Callable[[str], object]] = {
    "dependencies": lambda value: check_heads([head_of(dependency) for dependency in value.split()]),
    "sempos": _check_each(check_sempos),
    "alignment": _check_each(aligned_words),
    "roles": frames_of,
}
"""What raises if a value of a layer is faulty, whatever the text."""


def _characters(text: str) -> str:
    """The characters that tokens and a text must have in common: `_` stands for a space inside a token."""
    return without_spaces(text).replace(_UNKNOWN, "")


def check_word_counts(layers: Mapping[str, Column], paths: Mapping[str, str]) -> None:
    """Raise if word layers of one column have different numbers of values in a segment.

    `paths` has the file of each layer that has its own; the layers of CoNLL-U have the same number of values.
    """
    names = [layer for layer in WORD_LAYERS if layer in layers]
    if not any(layer in paths for layer in names):
        return
    first = names[0]
    for layer in names[1:]:
        for line, values in enumerate(zip(layers[first], layers[layer], strict=True), 1):
            counts = [len(value.split()) for value in values if value is not None]
            if len(set(counts)) > 1:
                faulty, other = (layer, first) if layer in paths else (first, layer)
                count, expected = counts[::-1] if faulty == layer else counts
                message = f"{plural(count, 'value')} of the layer '{faulty}', but {expected:,} of '{other}'"
                hint = "each word has one value in every layer, with spaces between the values"
                raise InputError(message, path=paths[faulty], line=line, hint=hint)


def check_spans(layers: Mapping[str, Column], path: str) -> None:
    """Raise if roles of a file end after the words of a segment."""
    for line, (roles, tokens) in enumerate(zip(layers["roles"], layers["tokens"], strict=True), 1):
        if roles is not None and tokens is not None:
            try:
                check_frames(frames_of(roles), len(tokens.split()))
            except InputError as error:
                raise InputError(error.message, path=path, line=line, hint=error.hint) from None
