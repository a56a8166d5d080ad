"""Readings of the formulas of ElNokrashy & Kocmi (2023), and a slow eBLEU that computes all of them.

Some are options of the metric; the others are here to be ruled out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from assay.types import FloatArray

__all__ = ["DIFFUSIONS", "PRINTED", "WEIGHTS", "Reading", "cosines", "grid", "one_change", "score", "share_of_meaning"]

Meaning = Literal["row", "diagonal", "others", "greatest", "itself"]

ORDERS = 4
TOLERATED = 0.5
WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "paper": (3 / 4, 2 / 4, 1 / 4, 0),
    "normalised": (3 / 6, 2 / 6, 1 / 6, 0),
    "all-orders": (0.4, 0.3, 0.2, 0.1),
}
DIFFUSIONS = ("softmax", "softmax-of-columns", "l1", "l1-of-columns")
"""`of-columns`: what is normalised is a word's share in each word of the other text, not theirs in it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One choice for everything that the paper leaves open, and for some that it does not."""

    tokens: str = "spaces"
    """Words between spaces, or those of the tokeniser 13a."""
    unknown: str = "same"
    diffusion: str = "softmax"
    temperature: float = 1.0
    weights: str = "paper"
    ngrams: str = "geometric"
    """The similarity of two n-grams, of those of their words: geometric (as printed), product, least or arithmetic."""
    cosines: str = "clipped"
    """Below 0: clipped (as printed), absolute, or shifted from -1 to 1 to 0 to 1."""
    meaning: Meaning = "row"
    """Of an n-gram: the sum of its row; its cell alone, compared with the reconstructed sum; the sum without its own
    cell; the greatest; its own cell on both sides."""
    zero_rows: str = "zero"
    short: str = "skip"
    length: str = "longer"

    @property
    def is_metric(self) -> bool:
        """Whether it is an option of the metric."""
        is_printed = (self.ngrams, self.cosines) == (PRINTED.ngrams, PRINTED.cosines)
        return is_printed and self.diffusion in ("softmax", "l1") and self.meaning in ("row", "diagonal")


PRINTED = Reading()
"""The formulas as printed, on words that all have a vector."""

_CHANGES: tuple[Mapping[str, Any], ...] = (
    {"tokens": "13a"},
    {"tokens": "13a", "unknown": "zero"},
    {"unknown": "zero"},
    *({"temperature": each} for each in (0.1, 0.3, 0.5, 2.0, 10.0)),
    {"diffusion": "l1"},
    {"diffusion": "softmax-of-columns"},
    {"diffusion": "l1-of-columns"},
    *({"meaning": each} for each in ("diagonal", "others", "greatest", "itself")),
    {"cosines": "absolute"},
    {"cosines": "shifted"},
    {"weights": "normalised"},
    {"weights": "all-orders"},
    {"diffusion": "l1", "weights": "normalised"},
    {"ngrams": "product"},
    {"ngrams": "least"},
    {"ngrams": "arithmetic"},
)

_GRID: Mapping[str, Sequence[Any]] = {
    "tokens": ("spaces", "13a"),
    "unknown": ("same", "zero"),
    "ngrams": ("geometric", "product", "least"),
    "meaning": ("row", "diagonal"),
    "diffusion": (
        *(("softmax", temperature) for temperature in (0.1, 0.3, 0.5, 1.0, 2.0, 10.0)),
        ("softmax-of-columns", 1.0),
        ("l1", 1.0),
        ("l1-of-columns", 1.0),
    ),
    "weights": tuple(WEIGHTS),
}


def one_change() -> Iterator[tuple[str, Reading]]:
    """The printed reading, then those that differ from it in one respect, or in two that go together."""
    yield "as printed", PRINTED
    for change in _CHANGES:
        yield (
            ", ".join(
                f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in change.items()
            ),
            replace(PRINTED, **change),
        )


def grid() -> Iterator[Reading]:
    """All combinations."""
    for values in itertools.product(*_GRID.values()):
        chosen = dict(zip(_GRID, values, strict=True))
        chosen["diffusion"], chosen["temperature"] = chosen["diffusion"]
        yield Reading(**chosen)


def cosines(x: Sequence[str], y: Sequence[str], vectors: Mapping[str, FloatArray], reading: Reading) -> FloatArray:
    """S of the words of two texts, from 0 to 1. A word that is not in `vectors`, or has no direction, is unknown."""
    (of_x, has_x), (of_y, has_y) = (_directions(words, vectors) for words in (x, y))
    found = of_x @ of_y.T if vectors else np.zeros((len(x), len(y)))
    if reading.cosines != "clipped":
        found = np.abs(found) if reading.cosines == "absolute" else (1 + found) / 2
    found = np.clip(found, 0.0, 1.0)
    if reading.unknown == "same":
        for i, j in itertools.product(*(np.flatnonzero(~has).tolist() for has in (has_x, has_y))):
            found[i, j] = x[i] == y[j]
    return found


def _directions(words: Sequence[str], vectors: Mapping[str, FloatArray]) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Vectors of length 1, or 0 if a word is unknown; and which words are known."""
    size = len(next(iter(vectors.values()), ()))
    rows = np.array([vectors.get(word, np.zeros(size)) for word in words], dtype=np.float64).reshape(len(words), size)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0), lengths[:, 0] > 0


def of_ngrams(words: FloatArray, n: int, how: str) -> FloatArray:
    """S of the n-grams."""
    rows, columns = (max(0, size - n + 1) for size in words.shape)
    aligned = np.stack([words[k : k + rows, k : k + columns] for k in range(n)])
    found: FloatArray
    if how == "least":
        found = aligned.min(axis=0)
    elif how == "arithmetic":
        found = aligned.mean(axis=0)
    else:
        found = aligned.prod(axis=0) ** (1.0 if how == "product" else 1 / n)
    return found


def share_of_meaning(own: FloatArray, between: FloatArray, reading: Reading) -> tuple[float, float]:
    """Of the n-grams of a text: the meaning that the other text reconstructs, and all of it.

    `own` are their similarities, and the rows of `between` those to the n-grams of the other text.
    """
    meaning = np.diag(own) if reading.meaning == "diagonal" else _of_rows(own, reading.meaning)
    if not between.size:
        return 0.0, float(meaning.sum())
    weights = np.exp(between / reading.temperature) if reading.diffusion.startswith("softmax") else between
    totals = weights.sum(axis=0 if reading.diffusion.endswith("columns") else 1, keepdims=True)
    spread = 1 / between.shape[1] if reading.zero_rows == "spread" else 0.0
    shares = np.divide(weights, totals, out=np.full_like(weights, spread), where=totals > 0)
    reconstructed = _of_rows(shares @ between.T, reading.meaning)
    return float(np.minimum(meaning, reconstructed).sum()), float(meaning.sum())


def _of_rows(similar: FloatArray, meaning: Meaning) -> FloatArray:
    """The meaning of each n-gram, from its row."""
    found: FloatArray
    if meaning == "greatest":
        found = similar.max(axis=1, initial=0.0)
    elif meaning == "itself":
        found = np.diag(similar)
    else:
        found = similar.sum(axis=1) - (np.diag(similar) if meaning == "others" else 0)
    return found


def score(own_x: FloatArray, own_y: FloatArray, between: FloatArray, reading: Reading) -> float:
    """Of an output x against a reference y, from the similarities of their words."""
    lengths = between.shape
    if lengths[1] == 0 or not of_ngrams(own_y, 1, reading.ngrams).any():
        return math.nan
    if lengths[0] == 0:
        return 0.0
    product = 1.0
    for n, exponent in enumerate(WEIGHTS[reading.weights], 1):
        product *= _mean(own_x, own_y, between, n, reading) ** exponent if exponent else 1.0
    ratio = abs(lengths[0] - lengths[1]) / (max(lengths) if reading.length == "longer" else lengths[1])
    return product * math.exp(min(0.0, TOLERATED - ratio))


def _mean(own_x: FloatArray, own_y: FloatArray, between: FloatArray, n: int, reading: Reading) -> float:
    """The geometric mean of precision and recall of an order."""
    if min(between.shape) < n:
        return float(reading.short == "skip")
    x, y, both = (of_ngrams(words, n, reading.ngrams) for words in (own_x, own_y, between))
    precise, of_x = share_of_meaning(x, both, reading)
    recalled, of_y = share_of_meaning(y, both.T, reading)
    if of_x == of_y == 0:
        return 1.0
    return math.sqrt((precise / of_x if of_x else 0.0) * (recalled / of_y if of_y else 0.0))
