"""Which segments can go out unedited: a threshold that keeps a promised error rate, tested on all judgements.

Thresholds are tested in an order that only depends on the scores: from a few strict ones on, each down to ever lower
ones, until one of them is not shown to keep the promise (fixed-sequence tests with several starts; Angelopoulos et al.
2021, Learn then Test). What a sequence tests needs no further correction, and each start has its share of the
probability of an error, so that all of the confidence is left for the lowest threshold that is shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.calibration.error_free import Judged
from assay.lazily import numpy as np
from assay.results import Estimate, HeldOut, SystemErrors
from assay.results.triage import FEW_JUDGEMENTS
from assay.significance.proportions import exact_bounds
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
    "rates_by_system",
]

_CANDIDATES = 100
_MIN_DOCUMENTS = 10
_PARTS = 5
_STARTS = (0.05, 0.2, 0.5, 1.0)  # released shares at which tests start
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Promise:
    """At most this share of what goes out has errors, with this confidence; `seed` draws the documents held out."""

    rate: float
    confidence: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Scores of judged outputs, whether the rating found an error, the documents and systems, of one or more pairs."""

    score: FloatArray
    has_error: npt.NDArray[np.bool_]
    document: IntArray
    system: npt.NDArray[np.str_]

    @classmethod
    def of(cls, metric: str, pairs: Sequence[Judged]) -> Judgements:
        """The ratings of outputs that the metric scored."""
        scores, errors, documents, systems, first = [], [], [], [], 0
        for pair in pairs:
            if (score := pair.scores.get(metric)) is None:
                continue
            known = ~np.isnan(score)
            scores.append(score[known])
            errors.append(~pair.is_free[known])
            documents.append(pair.unit[known] + first)
            systems.append(np.array(pair.ratings.systems)[pair.ratings.system[known]])
            first += int(pair.unit.max(initial=-1)) + 1
        if not scores:
            return cls(
                np.zeros(0), np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.str_)
            )
        return cls(*(np.concatenate(each) for each in (scores, errors, documents, systems)))

    def __len__(self) -> int:
        return len(self.score)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(np.unique(self.document))

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return float(self.score.min()), float(self.score.max())

    def take(self, rows: npt.NDArray[np.bool_]) -> Judgements:
        """The rows of a mask."""
        return Judgements(self.score[rows], self.has_error[rows], self.document[rows], self.system[rows])

    def above(self, threshold: float) -> Judgements:
        """Those with at least this score."""
        return self.take(self.score >= threshold)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold (NaN: none, for a reason), and what the judgements from it on show."""

    threshold: float
    reason: str
    error_rate: Estimate
    released_share: float
    best: Estimate


def bounded_rate(judged: Judgements, tail: float) -> Estimate:
    """The error rate with a lower and an upper bound, each of which is wrong with this probability.

    Clopper and Pearson's bounds of the effective number of judgements, which are fewer if those of a document depend on
    each other (Korn and Graubard 1998). Without any error, or without anything else, each document counts once.
    """
    n = len(judged)
    if not n:
        return Estimate(math.nan, 0, reason="no judged segment has such a score")
    rate = float(judged.has_error.mean())
    effective = _effective(judged, rate, tail)
    low, high = exact_bounds(np.array([rate]), np.array([effective]), tail)
    return Estimate(rate, n, float(low[0]), float(high[0]))


def _effective(judged: Judgements, rate: float, tail: float) -> float:
    """How many independent judgements tell as much; fewer if the variance is that of few documents."""
    n, (numbers, place) = len(judged), np.unique(judged.document, return_inverse=True)
    clusters = len(numbers)
    if not 0 < rate < 1 or clusters == 1:
        return float(clusters)
    from scipy.stats import t  # slow to import

    excess = np.bincount(place, judged.has_error) - rate * np.bincount(place)
    variance = clusters / (clusters - 1) * float((excess**2).sum()) / n**2
    effective = min(float(n), rate * (1 - rate) / variance) if variance > 0 else float(n)
    quantiles = t.ppf(tail, (n - 1, clusters - 1))
    return max(effective * float(quantiles[0] / quantiles[1]) ** 2 if tail < _HALF else effective, 1.0)


def chosen_threshold(judged: Judgements, promise: Promise) -> Threshold:
    """The lowest threshold that is shown to keep a promise, or why there is none."""
    nothing = Estimate(math.nan, 0)
    if judged.documents < _MIN_DOCUMENTS:
        few = plural(judged.documents, "judged document")
        return Threshold(math.nan, f"there are {few}, fewer than {_MIN_DOCUMENTS}", nothing, math.nan, nothing)
    candidates, starts = _candidates(judged)
    tail = (1 - promise.confidence) / max(len(starts), 1)
    bounds: dict[float, Estimate] = {}
    shown: list[float] = []
    for start in starts:
        for threshold in candidates[start:]:
            if threshold not in bounds:
                bounds[threshold] = replace(bounded_rate(judged.above(threshold), tail), low=math.nan)
            if not bounds[threshold].high <= promise.rate:
                break
            shown.append(threshold)
    if shown:
        rate = bounds[min(shown)]
        return Threshold(min(shown), "", rate, rate.n / len(judged), rate)
    best = min((bounds[candidates[start]] for start in starts), key=lambda rate: rate.high)
    reason = (
        "people found more errors than promised even in the best-scored segments"
        if best.value > promise.rate
        else "the judgements of the best-scored segments are too few to show it"
    )
    return Threshold(math.nan, reason, nothing, math.nan, best)


def _candidates(judged: Judgements) -> tuple[list[float], list[int]]:
    """The thresholds to test, the strictest first, and the places where tests start: by the scores only."""
    quantiles = np.quantile(judged.score, np.linspace(0, 1, _CANDIDATES), method="higher")
    found, shares = [], []
    for threshold in np.unique(quantiles)[::-1].tolist():
        above = judged.above(threshold)
        if above.documents >= _MIN_DOCUMENTS and len(above) >= FEW_JUDGEMENTS:
            found.append(threshold)
            shares.append(len(above) / len(judged))
    places = (next((place for place, share in enumerate(shares) if share >= start), None) for start in _STARTS)
    return found, sorted({place for place in places if place is not None})


def rates_by_system(judged: Judgements, confidence: float) -> tuple[SystemErrors, ...]:
    """The error rate of each system, the highest first; a system with few judgements comes last."""
    tail = (1 - confidence) / 2
    found = [
        SystemErrors(name, bounded_rate(judged.take(judged.system == name), tail))
        for name in np.unique(judged.system).tolist()
    ]
    return tuple(
        sorted(found, key=lambda each: (each.error_rate.n < FEW_JUDGEMENTS, -each.error_rate.value, each.system))
    )


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
    rate = bounded_rate(released, (1 - promise.confidence) / 2)
    return HeldOut(part, len(own), threshold, len(released), rate, bool(len(released)) and rate.value > promise.rate)
