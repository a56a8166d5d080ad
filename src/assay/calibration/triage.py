"""Which segments can go out unedited: a threshold that keeps a promised error rate, shown on judgements held out.

Documents are split in two halves. The threshold is chosen on one, as the lowest whose error rate is surely low enough
there, if possible by twice the distance to its bound, so that the other half is likely to show it, too. That half, on
which nothing was chosen, gives the error rate and its upper bound. Only if that bound is not above the promise is there
a threshold at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.calibration.error_free import Judged
from assay.lazily import numpy as np
from assay.results import Estimate, HeldOut
from assay.types import FloatArray, IntArray
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Judgements",
    "Promise",
    "Threshold",
    "bounded_rate",
    "chosen_threshold",
    "held_out_documents",
    "held_out_pairs",
]

_CANDIDATES = 100
_MIN_DOCUMENTS = 10
_PARTS = 5
_LEAST = 30  # judgements from which on a rate is looked at


@dataclass(frozen=True, slots=True)
class Promise:
    """At most this share of what goes out has errors, with this confidence; `seed` splits the documents."""

    rate: float
    confidence: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Scores of judged outputs, whether the rating found an error, and the documents, of one or more pairs."""

    score: FloatArray
    has_error: npt.NDArray[np.bool_]
    document: IntArray

    @classmethod
    def of(cls, metric: str, pairs: Sequence[Judged]) -> Judgements:
        """The ratings of outputs that the metric scored."""
        scores, errors, documents, first = [], [], [], 0
        for pair in pairs:
            if (score := pair.scores.get(metric)) is None:
                continue
            known = ~np.isnan(score)
            scores.append(score[known])
            errors.append(~pair.is_free[known])
            documents.append(pair.unit[known] + first)
            first += int(pair.unit.max(initial=-1)) + 1
        if not scores:
            return cls(np.zeros(0), np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.int64))
        return cls(np.concatenate(scores), np.concatenate(errors), np.concatenate(documents))

    def __len__(self) -> int:
        return len(self.score)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(np.unique(self.document))

    def take(self, rows: npt.NDArray[np.bool_]) -> Judgements:
        """The rows of a mask."""
        return Judgements(self.score[rows], self.has_error[rows], self.document[rows])

    def halves(self, seed: int) -> tuple[Judgements, Judgements]:
        """Two halves of the documents, at random."""
        documents = np.unique(self.document)
        first = np.random.default_rng(seed).permutation(documents)[: len(documents) // 2]
        is_first = np.isin(self.document, first)
        return self.take(is_first), self.take(~is_first)

    def above(self, threshold: float) -> Judgements:
        """Those with at least this score."""
        return self.take(self.score >= threshold)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold (NaN: none, for a reason), and what held-out judgements show."""

    threshold: float
    reason: str
    error_rate: Estimate
    released_share: float
    best: Estimate


def bounded_rate(judged: Judgements, confidence: float) -> Estimate:
    """The error rate with bounds that are each one-sided at this confidence.

    Clopper and Pearson's bounds of the effective number of judgements, which are fewer if those of a document depend on
    each other (Korn and Graubard 1998). Without any error, or without anything else, each document counts once.
    """
    n = len(judged)
    if not n:
        return Estimate(math.nan, 0, reason="no judged segment has such a score")
    from scipy.stats import beta  # slow to import

    rate = float(judged.has_error.mean())
    numbers, place = np.unique(judged.document, return_inverse=True)
    sizes = np.bincount(place)
    excess = np.bincount(place, judged.has_error) - rate * sizes
    clusters = len(numbers)
    effective = float(clusters)
    if 0 < rate < 1 and clusters > 1:
        variance = clusters / (clusters - 1) * float((excess**2).sum()) / n**2
        effective = min(float(n), rate * (1 - rate) / variance) if variance > 0 else float(n)
    effective = max(effective, 1.0)
    found, tail = rate * effective, 1 - confidence
    low = 0.0 if found <= 0 else float(beta.ppf(tail, found, effective - found + 1))
    high = 1.0 if found >= effective else float(beta.ppf(1 - tail, found + 1, effective - found))
    return Estimate(rate, n, low, high)


def chosen_threshold(judged: Judgements, promise: Promise) -> Threshold:
    """The threshold of a promise, or why there is none."""
    nothing = Estimate(math.nan, 0)
    if judged.documents < _MIN_DOCUMENTS:
        few = plural(judged.documents, "judged document")
        return Threshold(math.nan, f"{few}, fewer than {_MIN_DOCUMENTS}", nothing, math.nan, nothing)
    chosen_on, held_out = judged.halves(promise.seed)
    candidates = np.unique(np.quantile(chosen_on.score, np.linspace(0, 1, _CANDIDATES), method="higher"))
    rates = [(float(each), bounded_rate(chosen_on.above(each), promise.confidence)) for each in candidates]
    kept = [each for each, rate in rates if rate.high <= promise.rate]
    if not kept:
        enough = [(rate.value, each) for each, rate in rates if rate.n >= _LEAST]
        lowest = min(enough)[1] if enough else float(candidates[-1])
        best = bounded_rate(held_out.above(lowest), promise.confidence)
        return Threshold(
            math.nan, "people find errors more often even in the best-scored segments", nothing, math.nan, best
        )
    clearly = [each for each, rate in rates if 2 * rate.high - rate.value <= promise.rate]
    threshold = min(clearly or kept)
    released = held_out.above(threshold)
    rate = bounded_rate(released, promise.confidence)
    share = len(released) / len(held_out)
    if not rate.high <= promise.rate:
        reason = f"what was held out does not show it for scores of {threshold:.4g} or more"
        return Threshold(math.nan, reason, rate, share, rate)
    return Threshold(threshold, "", rate, share, rate)


def held_out_pairs(metric: str, pairs: Sequence[Judged], promise: Promise) -> tuple[HeldOut, ...]:
    """For each language pair, what the threshold of the others does there."""
    found = []
    for pair in pairs:
        own = Judgements.of(metric, [pair])
        if len(own):
            others = Judgements.of(metric, [other for other in pairs if other is not pair])
            found.append(_held_out(pair.label, others, own, promise))
    return tuple(found)


def held_out_documents(metric: str, pair: Judged, promise: Promise) -> tuple[HeldOut, ...]:
    """For each of five parts of the documents of a language pair, what the threshold of the others does there."""
    own = Judgements.of(metric, [pair])
    documents = np.random.default_rng(promise.seed).permutation(np.unique(own.document))
    found = []
    for number, part in enumerate(np.array_split(documents, _PARTS), 1):
        is_out = np.isin(own.document, part)
        found.append(_held_out(f"{pair.label}, part {number}", own.take(~is_out), own.take(is_out), promise))
    return tuple(found)


def _held_out(part: str, others: Judgements, own: Judgements, promise: Promise) -> HeldOut:
    threshold = chosen_threshold(others, promise).threshold
    released = own.above(math.inf if math.isnan(threshold) else threshold)
    rate = bounded_rate(released, promise.confidence)
    return HeldOut(part, len(own), threshold, len(released), rate, bool(len(released)) and rate.value > promise.rate)
