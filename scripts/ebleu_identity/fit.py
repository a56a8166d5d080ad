"""How well the scores of a reading have the shape of the authors' scores."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from assay.types import FloatArray
from scripts.ebleu_identity.readings import ORDERS, PRINTED, WEIGHTS, Reading, cosines, of_ngrams, share_of_meaning
from scripts.ebleu_identity.vectors import Vectors, words_of

__all__ = [
    "BINS",
    "Fit",
    "Fits",
    "Texts",
    "correlation_with_length",
    "fit",
    "lowest_of_three_words",
    "means",
    "scores",
]

BINS = ((1, 2), (3, 3), (4, 5), (6, 9), (10, 14), (15, 19), (20, 29), (30, 99))
"""Lengths in words."""
_DIGITS = 6  # of scores that are compared: the authors computed in single precision
_OF_A_LENGTH = 5  # texts, at least, that are ranked among each other
TOKENISERS = {"spaces": "none", "13a": "13a"}


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Outputs that equal their reference, and the authors' scores."""

    words: Mapping[str, Sequence[Sequence[str]]]
    """By tokeniser of `Reading.tokens`, the words of each text."""
    official: FloatArray

    @classmethod
    def read(cls, file: Path) -> Texts:
        """From a table with the columns `text` and `score`."""
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        texts = [row["text"] for row in rows]
        return cls(
            {name: words_of(texts, tok) for name, tok in TOKENISERS.items()},
            np.array([float(row["score"]) for row in rows]),
        )

    @property
    def lengths(self) -> FloatArray:
        """In words between spaces."""
        return np.array([len(words) for words in self.words["spaces"]])

    @property
    def vocabulary(self) -> set[str]:
        """All words."""
        return {word for texts in self.words.values() for words in texts for word in words}


@dataclass(frozen=True, slots=True)
class Fit:
    """Of one reading on one source of vectors."""

    rmse: float
    """Of the scores."""
    rank: float
    """Spearman's correlation with the authors' scores."""
    within: float
    """The same among texts with the same number of words, pooled."""
    means: tuple[float, ...]
    """By `BINS`."""
    n: int
    """Texts with a score."""


Fits = Mapping[tuple[str, Reading], Fit]
"""By source and reading."""


def scores(texts: Texts, vectors: Vectors, reading: Reading, known: dict[Reading, FloatArray]) -> FloatArray:
    """Of texts against themselves. `known` keeps what readings share."""
    orders = replace(reading, weights=PRINTED.weights)
    if orders not in known:
        similar = (cosines(words, words, vectors, reading) for words in texts.words[reading.tokens])
        known[orders] = np.array([_orders(each, reading) for each in similar])
    exponents = np.array(WEIGHTS[reading.weights])
    found: FloatArray = np.prod(np.where(exponents > 0, known[orders] ** exponents, 1.0), axis=1)
    return found


def _orders(words: FloatArray, reading: Reading) -> list[float]:
    """Precision, which is recall, of each order; 1 for one without n-grams or meaning, NaN if there is no meaning."""
    found = []
    for n in range(1, ORDERS + 1):
        own = of_ngrams(words, n, reading.ngrams)
        matched, meaning = share_of_meaning(own, own, reading)
        found.append(matched / meaning if meaning > 0 else (math.nan if n == 1 and not own.any() else 1.0))
    return found


def fit(found: FloatArray, texts: Texts) -> Fit:
    """How far scores are from the authors'. Texts without a score are left out, and not counted."""
    has = ~np.isnan(found)
    ours, official, lengths = found[has].round(_DIGITS), texts.official[has].round(_DIGITS), texts.lengths[has]
    if not has.any():
        return Fit(math.nan, math.nan, math.nan, (math.nan,) * len(BINS), 0)
    first, second = np.array(ours), np.array(official)  # become ranks among texts of a length, around their mean
    for length in np.unique(lengths):
        same = lengths == length
        for side in (first, second):
            side[same] = rankdata(side[same]) - (same.sum() + 1) / 2 if same.sum() >= _OF_A_LENGTH else 0
    return Fit(
        float(np.sqrt(np.mean((ours - official) ** 2))),
        _correlation(rankdata(ours), rankdata(official)),
        _correlation(first, second),
        means(ours, lengths),
        int(has.sum()),
    )


def means(values: FloatArray, lengths: FloatArray) -> tuple[float, ...]:
    """By `BINS`."""
    chosen = ((lengths >= low) & (lengths <= high) for low, high in BINS)
    return tuple(float(values[each].mean()) if each.any() else math.nan for each in chosen)


def correlation_with_length(texts: Texts) -> float:
    """Spearman's correlation of the authors' scores with the number of words, which no reading knows of."""
    return _correlation(rankdata(-texts.lengths), rankdata(texts.official.round(_DIGITS)))


def _correlation(first: FloatArray, second: FloatArray) -> float:
    """Pearson's; NaN if all values of a side are equal but for rounding."""
    if min(np.ptp(first), np.ptp(second)) < 1e-9:
        return math.nan
    return float(np.corrcoef(first, second)[0, 1])


def lowest_of_three_words(reading: Reading) -> float:
    """The lowest score that any vectors give to a text of three known words: bigrams and the trigram match in full."""
    best, at = math.inf, (0.0, 0.0, 0.0)
    step, around = 0.05, [(0.0, 1.0)] * 3
    for _ in range(4):
        for point in _points(around, step):
            if (score := _of_three(point, reading)) < best:
                best, at = score, point
        around = [(max(0.0, value - step), min(1.0, value + step)) for value in at]
        step /= 4
    return best


def _points(around: Sequence[tuple[float, float]], step: float) -> Iterable[tuple[float, float, float]]:
    """Cosines of three words that vectors can have."""
    sides = [np.arange(low, high + step / 2, step).tolist() for low, high in around]
    for a in sides[0]:
        for b in sides[1]:
            for c in sides[2]:
                if 1 + 2 * a * b * c - a * a - b * b - c * c >= -1e-12:
                    yield a, b, c


def _of_three(point: tuple[float, float, float], reading: Reading) -> float:
    a, b, c = point
    words = np.array([[1, a, b], [a, 1, c], [b, c, 1]])
    product = 1.0
    for n, exponent in enumerate(WEIGHTS[reading.weights][:3], 1):
        own = of_ngrams(words, n, reading.ngrams)
        matched, meaning = share_of_meaning(own, own, reading)
        product *= (matched / meaning) ** exponent if meaning > 0 else 1.0
    return product
