"""Dependency trees of all segments of a column as arrays: for each word, the place of its head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.metrics.layer_metric import LayerTexts, segment_of
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.types import check_heads, head_of

__all__ = ["Places", "head_chains", "words_and_heads"]

Places: TypeAlias = npt.NDArray[np.int64]
"""Places of words among all words of a column, from 0; -1 for none."""


def words_and_heads(texts: LayerTexts, *, lowercase: bool) -> tuple[TokenizedTexts, list[Places]]:
    """The words, and for each column with dependencies the place of the head of each word; -1 for a root."""
    tokens, dependencies = texts.split("tokens", "dependencies", lowercase=lowercase)
    numbers = np.zeros(len(dependencies.words), dtype=np.int64)
    for number, dependency in enumerate(dependencies.words):
        try:
            numbers[number] = head_of(dependency)
        except InputError as error:
            raise texts.value_error("dependencies", dependencies, number, error.message, error.hint) from None
    columns = enumerate(zip(dependencies.rows, dependencies.starts, strict=True))
    return tokens, [_column_heads(texts, column, numbers[rows], starts) for column, (rows, starts) in columns]


def _column_heads(texts: LayerTexts, column: int, numbers: Places, starts: Places) -> Places:
    """The places of heads, of their numbers within segments, from 1."""
    lengths = np.diff(starts)
    are_in_range = numbers <= np.repeat(lengths, lengths)
    heads = np.where((numbers > 0) & are_in_range, numbers - 1 + np.repeat(starts[:-1], lengths), -1)
    are_in_cycle = _ancestors(heads, int(lengths.max(initial=0))) >= 0
    for place in np.flatnonzero(are_in_cycle | ~are_in_range)[:1].tolist():
        segment = segment_of(place, starts)
        try:
            check_heads(numbers[starts[segment] : starts[segment + 1]].tolist())
        except InputError as error:
            raise texts.error("dependencies", column, segment, error.message, error.hint) from None
    return heads


def _ancestors(heads: Places, steps: int) -> Places:
    """The word that is reached from each word in so many steps to the head, or in more; -1 if a root is passed."""
    places = heads
    for _ in range(steps.bit_length()):
        places = np.where(places >= 0, places[places], -1)
    return places


def head_chains(heads: Places, max_order: int) -> Iterator[Places]:
    """A word, its head, the head of that, and so on: for n = 1, 2, … the n-th word of the chain from each word."""
    places = np.arange(len(heads))
    for _ in range(max_order):
        yield places
        places = np.where(places >= 0, heads[places], -1)
