"""How similar words are: by their vectors, their letters, or not at all unless they are equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from assay import _core
from assay.metrics.long_lines import too_long
from assay.metrics.token_vectors import EmbeddedTexts
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.types import FloatArray

__all__ = ["Comparison", "Similarity", "by_form", "by_vectors"]

Similarity = Literal["vectors", "lcs", "exact"]

Comparison: TypeAlias = Callable[[tuple[_core.TokenColumn, ...], tuple[_core.TokenColumn, ...], int], FloatArray]
"""Columns of references and of outputs, and n → (reference, system, text, [precision, recall]) of their n-grams."""


def by_vectors(embedded: EmbeddedTexts, rule: str, threads: int) -> Comparison:
    """The cosine of vectors, at least 0; `rule` says when equal words are 1 all the same."""
    table = embedded.table(word.lower() for word in embedded.texts.words)
    return lambda others, outputs, n: _core.yisi_statistics(others, outputs, table, rule, n, threads)


def by_form(
    texts: TokenizedTexts,
    metric: str,
    names: tuple[Sequence[str], Sequence[str]],
    threads: int,
    first: int,
    *,
    exact: bool,
) -> Comparison:
    """The longest common substring of two words, or whether they are equal.

    `names` are those of the columns, outputs first, and `first` is the index of the first text, for errors.
    """
    forms = [word.encode("utf-8", "surrogatepass") for word in texts.words]
    starts = np.cumsum([0, *map(len, forms)], dtype=np.int64)
    letters = np.frombuffer(b"".join(forms), dtype=np.uint8)

    def compare(others: tuple[_core.TokenColumn, ...], outputs: tuple[_core.TokenColumn, ...], n: int) -> FloatArray:
        try:
            return _core.yisi_form_statistics(others, outputs, letters, starts, exact, n, threads)
        except _core.TooLongError as error:
            raise too_long(error, metric, *names, unit="bytes", is_adjustable=False).moved(first) from None

    return compare
