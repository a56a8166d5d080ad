"""Segments without errors, as people judged them, and what scores say of them.

Every rating of an output counts by itself: it either found an error or did not. Documents are resampled, because
outputs of a document depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import MIN_CLUSTERS, Bootstrap
from assay.calibration.isotonic import fit_constant, fit_isotonic
from assay.human.marks import document_units, usable_marks
from assay.human.mqm import find_weights, mqm_ratings
from assay.lazily import numpy as np
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.results import ErrorFreeBin, ErrorFreeMetric, Estimate
from assay.types import Campaign, FloatArray, IntArray, Note, Ratings
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.types.severity import NO_ERRORS

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "ANOTHER_RATER",
    "Detector",
    "ErrorFreeRule",
    "Judged",
    "Resampled",
    "another_rater",
    "best_threshold",
    "evaluate",
    "fitted_on",
    "judged",
    "means",
]

ANOTHER_RATER = "human: another rater"
_BINS = 10
Replicated: TypeAlias = "Callable[[FloatArray], FloatArray]"
"""From weights (resample, row) to values."""
_ONE_KIND = "all ratings found an error, or none did"
_NO_OTHERS = "there is a single language pair: thresholds and probabilities are fitted on others"


@dataclass(frozen=True, slots=True)
class ErrorFreeRule:
    """What counts as error-free: a score of at least so much, and no error of at least this severity."""

    least_score: float = 85.0
    severity: str = "minor"

    def labels(self, ratings: Ratings) -> npt.NDArray[np.bool_]:
        """Which ratings found no error. A rating without a score (MQM) has its errors only."""
        ignored = {*NO_ERRORS, *(("minor", "undecided", "") if self.severity == "major" else ())}
        clean = [all(error.severity in ignored for error in errors) for errors in ratings.errors]
        scores = np.where(np.isnan(ratings.score), np.inf, ratings.score)
        return np.asarray(clean, dtype=np.bool_) & (scores >= self.least_score)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The ratings of a language pair: whether they found no error, their documents, and scores of their outputs."""

    label: str
    campaign: str
    ratings: Ratings
    is_free: npt.NDArray[np.bool_]
    unit: IntArray
    unit_name: str
    scores: Mapping[str, FloatArray]
    """By metric, of each rating; higher is better, NaN: none."""
    others: tuple[IntArray, IntArray, FloatArray]
    """Pairs of a rating and another rater's of the same output, and their weights: 1 for each rating in all."""
    notes: tuple[Note, ...] = field(default=())


def judged(
    label: str,
    campaign: Campaign,
    ratings: Ratings,
    systems: Sequence[str],
    metrics: Iterable[ScoresByLevel],
    rule: ErrorFreeRule,
) -> Judged:
    """The usable ratings of these systems with the scores of metrics."""
    usable, notes = usable_marks(ratings, campaign)
    kept = usable.take(systems)
    unit, unit_name = document_units(kept, campaign)
    scores = {metric.name: _of_ratings(metric, kept) for metric in metrics if metric.segment is not None}
    scores |= {each.name: _of_predictions(each, kept) for each in campaign.predictions if each.name not in scores}
    return Judged(label, campaign.name, kept, rule.labels(kept), unit, unit_name, scores, _other_raters(kept), notes)


def _of_predictions(predicted: Ratings, ratings: Ratings) -> FloatArray:
    """Minus the sum of the weights of the errors that a metric marked in the output of each rating; NaN: not read."""
    marked = mqm_ratings(predicted, find_weights("esa-spans", predicted))
    names = predicted.items or [str(number) for number in range(int(marked.segment.max(initial=-1)) + 1)]
    found = {
        (marked.systems[system], names[segment]): score
        for system, segment, score in zip(
            marked.system.tolist(), marked.segment.tolist(), marked.score.tolist(), strict=True
        )
        if segment >= 0
    }
    items = ratings.items or [str(number) for number in range(int(ratings.segment.max(initial=-1)) + 1)]
    places = zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True)
    return np.array([found.get((ratings.systems[system], items[segment]), np.nan) for system, segment in places])


def _of_ratings(metric: ScoresByLevel, ratings: Ratings) -> FloatArray:
    """The score of the output of each rating; NaN where there is none."""
    table = metric.at("segment")
    values = table.oriented
    place = {name: k for k, name in enumerate(table.systems)}
    row = np.array([place.get(name, -1) for name in ratings.systems])[ratings.system]
    column = ratings.segment
    if ratings.items:
        lines = {name: k for k, name in enumerate(table.items)}
        column = np.array([lines.get(name, -1) for name in ratings.items])[ratings.segment]
    found = (row >= 0) & (column >= 0) & (column < values.shape[1])
    return np.where(found, values[np.where(found, row, 0), np.where(found, column, 0)], np.nan)


def _other_raters(ratings: Ratings) -> tuple[IntArray, IntArray, FloatArray]:
    rows: dict[tuple[int, int], list[int]] = {}
    for row, key in enumerate(zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True)):
        rows.setdefault(key, []).append(row)
    rater = ratings.rater.tolist()
    found = []
    for group in rows.values():
        for row in group:
            others = [other for other in group if rater[other] != rater[row]]
            found += [(row, other, 1 / len(others)) for other in others]
    first, second, weight = zip(*found, strict=True) if found else ((), (), ())
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.array(weight, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Resampled:
    """How resamples of documents are drawn."""

    resamples: int
    seed: int
    confidence: float
    runtime: Runtime

    def estimate(self, value: float, n: int, unit: IntArray, unit_name: str, replicates: Replicated) -> Estimate:
        """A value with its interval; `replicates` gives the value for weights (resample, row)."""
        if value != value:
            return Estimate(value, n, reason=_ONE_KIND)
        if not self.resamples:
            return Estimate(value, n)
        numbers, index = np.unique(unit, return_inverse=True)
        if len(numbers) < MIN_CLUSTERS:
            few = plural(len(numbers), unit_name.removesuffix("s"))
            return Estimate(value, n, reason=f"no interval: {few}, fewer than {MIN_CLUSTERS}")
        blocks = Bootstrap(self.resamples, None, self.seed).blocks(len(numbers), self.runtime)
        drawn = np.concatenate([replicates(block[:, index].astype(np.float64)) for block in blocks])
        return estimate_from_replicates(value, drawn, n, self.confidence)


@dataclass(frozen=True, slots=True, eq=False)
class Detector:
    """Scores in descending order with what people found: the areas under its curves, with rows weighted."""

    order: npt.NDArray[np.intp]
    last: npt.NDArray[np.bool_]
    """Whether a row, in this order, is the last with its score."""
    is_free: npt.NDArray[np.bool_]
    """In this order."""

    @classmethod
    def of(cls, scores: FloatArray, is_free: npt.NDArray[np.bool_]) -> Detector:
        """The detector by these scores."""
        order = np.argsort(-scores, kind="stable")
        ordered = scores[order]
        last = np.append(ordered[1:] != ordered[:-1], True) if len(ordered) else np.zeros(0, dtype=np.bool_)
        return cls(order, last, is_free[order])

    def areas(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The areas under the ROC curve and the precision-recall curve for weights (resample, row).

        Rows with the same score come together. The second is the average precision: the mean, over error-free rows, of
        the precision at their score. NaN if all rows are of one kind.
        """
        ordered = weights[:, self.order]
        hits, misses = (np.cumsum(ordered * side, axis=1)[:, self.last] for side in (self.is_free, ~self.is_free))
        if not hits.shape[1]:
            return np.full(len(weights), np.nan), np.full(len(weights), np.nan)
        zero = np.zeros((len(weights), 1))
        gained, lost = np.diff(hits, axis=1, prepend=zero), np.diff(misses, axis=1, prepend=zero)
        with np.errstate(invalid="ignore", divide="ignore"):
            roc = (lost * (hits - gained / 2)).sum(axis=1) / (hits[:, -1] * misses[:, -1])
            precision = np.where(hits + misses > 0, hits / (hits + misses), 0.0)
            average = (gained * precision).sum(axis=1) / hits[:, -1]
        is_mixed = (hits[:, -1] > 0) & (misses[:, -1] > 0)
        return np.where(is_mixed, roc, np.nan), np.where(is_mixed, average, np.nan)


def _area(detector: Detector, kind: int, weights: FloatArray, *, share: FloatArray | float = 1.0) -> FloatArray:
    """The area of one kind: 0 for ROC, 1 for precision and recall."""
    return detector.areas(weights * share)[kind]


def best_threshold(scores: FloatArray, is_free: npt.NDArray[np.bool_]) -> float:
    """The score from which on F is highest; of several the highest. NaN if nothing is error-free."""
    if not is_free.any():
        return float("nan")
    detector = Detector.of(scores, is_free)
    hits = np.cumsum(detector.is_free)[detector.last]
    called = np.flatnonzero(detector.last) + 1
    f = 2 * hits / (called + is_free.sum())
    return float(scores[detector.order][detector.last][int(np.argmax(f))])


def evaluate(metric: str, data: Judged, others: Sequence[Judged], drawn: Resampled) -> ErrorFreeMetric | None:
    """A metric on a language pair, with the threshold and the probabilities of others; None without scores."""
    scores = data.scores.get(metric)
    if scores is None or np.isnan(scores).all():
        return None
    known = ~np.isnan(scores)
    x, y, unit = scores[known], data.is_free[known], data.unit[known]
    n = len(x)
    detector = Detector.of(x, y)
    roc, pr = (float(area[0]) for area in detector.areas(np.ones((1, n))))
    areas = [
        drawn.estimate(value, n, unit, data.unit_name, partial(_area, detector, k)) for k, value in enumerate((roc, pr))
    ]
    fit_x, fit_y = fitted_on(metric, others)
    found = ErrorFreeMetric(metric, data.label, n, float(y.mean()), areas[0], areas[1], Estimate(np.nan, n))
    if not len(fit_x) or not fit_y.any():
        reason = "the other language pairs have no error-free ratings with scores" if others else _NO_OTHERS
        return replace(found, f=Estimate(np.nan, n, reason=reason))
    threshold = best_threshold(fit_x, fit_y)
    called = x >= threshold
    p, r, f = _prf(called, y, np.ones((1, n)))
    estimate = drawn.estimate(float(f[0]), n, unit, data.unit_name, lambda w: _prf(called, y, w)[2])
    probability = fit_isotonic(fit_x, fit_y.astype(np.float64))(x)
    base_rate = fit_constant(fit_x, fit_y.astype(np.float64))(x)
    return replace(
        found,
        f=estimate,
        threshold=threshold,
        precision=float(p[0]),
        recall=float(r[0]),
        brier=float(((probability - y) ** 2).mean()),
        brier_base_rate=float(((base_rate - y) ** 2).mean()),
        bins=_bins(probability, y),
    )


def fitted_on(metric: str, others: Sequence[Judged]) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The scores and labels of the language pairs that a metric is fitted on."""
    parts = [(each.scores[metric], each.is_free) for each in others if metric in each.scores]
    if not parts:
        return np.zeros(0), np.zeros(0, dtype=np.bool_)
    scores, labels = (np.concatenate(each) for each in zip(*parts, strict=True))
    known = ~np.isnan(scores)
    return scores[known], labels[known]


def _prf(
    called: npt.NDArray[np.bool_], is_free: npt.NDArray[np.bool_], weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Precision, recall and F of calling rows error-free, for weights (resample, row); NaN where none is error-free."""
    both, predicted, actual = (weights[:, each].sum(axis=1) for each in (called & is_free, called, is_free))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (both / predicted, both / actual, 2 * both / (predicted + actual))
    precision, recall, f = (np.where(actual > 0, each, np.nan) for each in found)
    return precision, recall, f


def _bins(probability: FloatArray, is_free: npt.NDArray[np.bool_]) -> tuple[ErrorFreeBin, ...]:
    number = np.minimum((probability * _BINS).astype(np.int64), _BINS - 1)
    return tuple(
        ErrorFreeBin(
            float(probability[number == k].mean()), float(is_free[number == k].mean()), int((number == k).sum())
        )
        for k in np.unique(number).tolist()
    )


def another_rater(data: Judged, drawn: Resampled) -> ErrorFreeMetric | None:
    """Each rating predicted by those of other raters of the output, who have no threshold to choose."""
    first, second, weight = data.others
    if not len(first):
        return None
    y, unit = data.is_free[first], data.unit[first]
    called = data.is_free[second]
    order = data.ratings.score[second]
    x = np.where(called, np.nan_to_num(order, nan=0.0) + 1000.0, np.nan_to_num(order, nan=0.0))
    n = len(np.unique(first))
    detector = Detector.of(x, y)
    ones = weight[np.newaxis]
    values = [float(area[0]) for area in detector.areas(ones)]
    areas = [
        drawn.estimate(value, n, unit, data.unit_name, partial(_area, detector, k, share=weight))
        for k, value in enumerate(values)
    ]
    p, r, f = _prf(called, y, ones)
    return ErrorFreeMetric(
        metric=ANOTHER_RATER,
        lp=data.label,
        n=n,
        base_rate=float(np.average(y, weights=weight)),
        roc_area=areas[0],
        pr_area=areas[1],
        f=drawn.estimate(float(f[0]), n, unit, data.unit_name, lambda w: _prf(called, y, w * weight)[2]),
        precision=float(p[0]),
        recall=float(r[0]),
        is_baseline=True,
    )


def means(found: Sequence[ErrorFreeMetric]) -> ErrorFreeMetric:
    """The mean of a metric over its language pairs: all values over those where ratings of both kinds were found.

    A value that is undefined on one of these has no mean, which would be over other pairs than its neighbours.
    """
    used = [each for each in found if each.roc_area.value == each.roc_area.value]

    def mean(values: Iterable[float]) -> float:
        return sum(values) / len(used) if used else float("nan")

    def estimate(name: str) -> Estimate:
        of_pairs = [getattr(each, name) for each in used]
        reason = next((each.reason for each in of_pairs if each.value != each.value), None) if used else _ONE_KIND
        return Estimate(mean(each.value for each in of_pairs), len(used), reason=reason)

    return ErrorFreeMetric(
        metric=found[0].metric,
        lp="",
        n=sum(each.n for each in used),
        base_rate=mean(each.base_rate for each in used),
        roc_area=estimate("roc_area"),
        pr_area=estimate("pr_area"),
        f=estimate("f"),
        precision=mean(each.precision for each in used),
        recall=mean(each.recall for each in used),
        brier=mean(each.brier for each in used),
        brier_base_rate=mean(each.brier_base_rate for each in used),
        is_baseline=found[0].is_baseline,
    )
