"""Segments without errors, as people judged them, and what scores say of them.

Every rating of an output counts by itself: it either found an error or did not. Documents are resampled, because
outputs of a document depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.rival_fits import fit_constant
from assay.errors import option_name
from assay.human.domains import documents_of
from assay.human.judged_outputs import JudgedOutputs
from assay.human.mqm import find_weights, mqm_ratings
from assay.human.predicted_errors import PredictedErrors, predicted_errors
from assay.lazily import numpy as np
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.options.checks import check_count
from assay.options.option import HUMAN, Option
from assay.results import ErrorFreeBin, ErrorFreeMetric, Estimate
from assay.types import Campaign, FloatArray, IntArray, Note, NoteKind, Ratings
from assay.types.metric_names import metric_label
from assay.types.note import listed
from assay.types.severity import NO_ERRORS, Severity, milder_than

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "ANOTHER_RATER",
    "EVERYTHING",
    "MARKS",
    "PREDICTED_WEIGHTS",
    "Detector",
    "ErrorFreeRule",
    "MinScore",
    "RatedLanguagePair",
    "SmallestSeverity",
    "another_rater",
    "best_threshold",
    "calling_everything",
    "evaluate",
    "fitted_on",
    "means",
    "pooled_bins",
    "rated_language_pair",
]

ANOTHER_RATER = "human: another rater"
EVERYTHING = "everything is error-free"
"""A detector that need not read the outputs."""
MARKS = "-spans"
"""What follows the name of a metric where the errors that it marked are meant, and not its scores."""
PREDICTED_WEIGHTS = "esa-spans"
"""Of the errors that a metric marked, whose sum is its score."""
_BINS = 10
_ONE_KIND = "all ratings found an error, or none did"
_MAX_NAMES = 4
_NO_OTHERS = "thresholds and probabilities are fitted on other language pairs, and there is a single one"


MinScore = Annotated[
    float,
    Option(
        "The lowest score of a rating that finds no error, on the scale of the protocol; 0: only marked errors count.",
        group=HUMAN,
        metavar="SCORE",
        check=check_count,
    ),
]
SmallestSeverity = Annotated[
    str,
    Option(
        "The least severity of an error that counts: minor (all errors) or major.",
        group=HUMAN,
        choices=(str(Severity.MINOR), str(Severity.MAJOR)),
    ),
]


@dataclass(frozen=True, slots=True)
class ErrorFreeRule:
    """What counts as error-free: a score of at least so much, and no error of at least this severity.

    `minor` stands for all errors, also trivial ones and those without a severity.
    """

    min_score: float = 85.0
    severity: str = str(Severity.MINOR)

    def labels(self, ratings: Ratings) -> npt.NDArray[np.bool_]:
        """Which ratings found no error. A rating without a score (MQM) has its errors only."""
        milder = () if self.severity == Severity.MINOR else (*milder_than(self.severity), "")
        ignored = {*NO_ERRORS, *milder}
        clean = [all(error.severity in ignored for error in errors) for errors in ratings.marks]
        scores = np.where(np.isnan(ratings.score), np.inf, ratings.score)
        return np.asarray(clean, dtype=np.bool_) & (scores >= self.min_score)


@dataclass(frozen=True, slots=True, eq=False)
class RatedLanguagePair:
    """The ratings of a language pair: whether they found no error, and scores of their outputs."""

    label: str
    campaign: str
    outputs: JudgedOutputs
    is_free: npt.NDArray[np.bool_]
    scores: Mapping[str, FloatArray]
    """By metric, of each rating; higher is better, NaN: none."""
    predicted: tuple[str, ...] = ()
    """The metrics whose scores come from errors that they marked."""
    document_names: tuple[str, ...] = ()
    """Of each rating, by which documents of several language pairs meet; empty: not known."""
    notes: tuple[Note, ...] = field(default=())

    @property
    def ratings(self) -> Ratings:
        """The ratings themselves."""
        return self.outputs.ratings


def rated_language_pair(
    label: str,
    campaign: Campaign,
    ratings: Ratings,
    systems: Sequence[str],
    metrics: Iterable[ScoresByLevel],
    predictions: Sequence[Ratings],
    rule: ErrorFreeRule,
) -> RatedLanguagePair:
    """The usable ratings of these systems with the scores of metrics, and of metrics that marked errors."""
    outputs = JudgedOutputs.of(ratings, campaign, systems)
    scores = {metric.name: _of_ratings(metric, outputs.ratings) for metric in metrics if metric.segment is not None}
    tables = {table.name: metric_label(table.name, table.references) for table in campaign.metrics}
    names = {*scores, *(name for name, label in tables.items() if label in scores)}  # with and without the reference
    both = [each.name for each in predictions if each.name in names]
    unscored = [each for each in predictions if each.name not in names]
    weighted = [each for each in unscored if all(error.severity for errors in each.errors for error in errors or ())]
    predicted, notes = predicted_errors(campaign, outputs.ratings, weighted)
    if without := [each.name for each in unscored if each not in weighted]:
        text = f"left out: errors without a severity, which have no weight, of {listed(without, _MAX_NAMES)}"
        notes = (*notes, Note(NoteKind.EXCLUDED, text, count=len(without)))
    if both:
        text = (
            f"scores are used, and not the errors that they marked, of {listed(both, _MAX_NAMES)}; to use these: "
            f"{option_name('metrics', both[0] + MARKS)}"
        )
        notes = (*notes, Note(NoteKind.EXCLUDED, text, count=len(both)))
    scores |= {name: _of_errors(each) for name, each in predicted.items()}
    is_free = rule.labels(outputs.ratings)
    return RatedLanguagePair(
        label,
        campaign.name,
        outputs,
        is_free,
        scores,
        tuple(predicted),
        _document_names(outputs, campaign),
        (*outputs.notes, *notes),
    )


def _document_names(outputs: JudgedOutputs, campaign: Campaign) -> tuple[str, ...]:
    """The document of each rating, if documents are the units."""
    if outputs.units.unit != "document":
        return ()
    segment = outputs.ratings.segment
    names = documents_of(outputs.ratings, campaign.testset, int(segment.max(initial=-1)) + 1)
    return tuple(names[each] for each in segment.tolist())


def _of_errors(predicted: PredictedErrors) -> FloatArray:
    """Minus the sum of the weights of the errors that a metric marked in the output of each rating; NaN: not read."""
    if not len(predicted.marks):
        return np.full(len(predicted.row), np.nan)
    scores = mqm_ratings(predicted.marks, find_weights(PREDICTED_WEIGHTS, predicted.marks)).score
    return np.where(predicted.row >= 0, scores[predicted.row], np.nan)


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


def best_threshold(scores: FloatArray, is_free: npt.NDArray[np.bool_]) -> float:
    """The score from which on F is highest; of several the highest. NaN if nothing is error-free."""
    if not is_free.any():
        return float("nan")
    detector = Detector.of(scores, is_free)
    hits = np.cumsum(detector.is_free)[detector.last]
    called = np.flatnonzero(detector.last) + 1
    f = 2 * hits / (called + is_free.sum())
    return float(scores[detector.order][detector.last][int(np.argmax(f))])


def evaluate(
    metric: str, data: RatedLanguagePair, others: Sequence[RatedLanguagePair], drawn: UnitResamples
) -> ErrorFreeMetric | None:
    """A metric on a language pair, with the threshold and the probabilities of others; None without scores."""
    scores = data.scores.get(metric)
    if scores is None or np.isnan(scores).all():
        return None
    known = ~np.isnan(scores)
    rows = _Rows(data, known, np.ones(int(known.sum())), drawn)
    x, y = scores[known], data.is_free[known]
    found = rows.evaluated(metric, Detector.of(x, y), y)
    fit_x, fit_y = fitted_on(metric, others)
    if not len(fit_x) or not fit_y.any():
        reason = "the other language pairs have no error-free ratings with scores" if others else _NO_OTHERS
        return replace(found, f=Estimate(np.nan, found.n, reason=reason))
    threshold = best_threshold(fit_x, fit_y)
    probability = fit_isotonic(fit_x, fit_y.astype(np.float64))(x)
    base_rate = fit_constant(fit_x, fit_y.astype(np.float64))(x)
    return replace(
        rows.at(found, x >= threshold, y),
        threshold=threshold,
        brier=float(((probability - y) ** 2).mean()),
        brier_base_rate=float(((base_rate - y) ** 2).mean()),
        bins=_bins(probability, y),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The rows that an evaluation is on: ratings of a language pair with their weights, in documents that are drawn."""

    data: RatedLanguagePair
    rating: IntArray | npt.NDArray[np.bool_]
    weight: FloatArray
    drawn: UnitResamples

    @property
    def n(self) -> int:
        """How many ratings there are."""
        return len(np.unique(np.arange(len(self.data.is_free))[self.rating]))

    def evaluated(self, metric: str, detector: Detector, is_free: npt.NDArray[np.bool_]) -> ErrorFreeMetric:
        """What needs no threshold: counts and areas."""
        roc, pr = self._estimates(detector.areas)
        return ErrorFreeMetric(
            metric=metric,
            lp=self.data.label,
            n=self.n,
            free=round(float(self.weight[is_free].sum())),
            units=len(np.unique(self._unit)),
            base_rate=float(np.average(is_free, weights=self.weight)),
            roc_area=roc,
            pr_area=pr,
            f=Estimate(np.nan, self.n),
        )

    def at(
        self, found: ErrorFreeMetric, called: npt.NDArray[np.bool_], is_free: npt.NDArray[np.bool_]
    ) -> ErrorFreeMetric:
        """With precision, recall and F of calling these rows error-free."""
        precision, recall, _ = (float(each[0]) for each in _prf(called, is_free, self.weight[np.newaxis]))
        (f,) = self._estimates(lambda weights: (_prf(called, is_free, weights)[2],))
        return replace(found, f=f, precision=precision, recall=recall)

    @property
    def _unit(self) -> IntArray:
        unit: IntArray = self.data.outputs.units.number[self.rating]
        return unit

    def _estimates(self, values_of: Callable[[FloatArray], tuple[FloatArray, ...]]) -> list[Estimate]:
        """Values with intervals over documents; `values_of` gives them for weights (resample, row)."""
        unit = np.unique(self._unit, return_inverse=True)[1]
        values = [float(each[0]) for each in values_of(self.weight[np.newaxis])]
        sizes = np.bincount(unit, self.weight).astype(np.float64)
        found = self.drawn.estimates(
            values, self.n, sizes, self.data.outputs.units.unit, lambda draws: values_of(draws[:, unit] * self.weight)
        )
        return [
            replace(each.estimate, reason=_ONE_KIND) if each.estimate.value != each.estimate.value else each.estimate
            for each in found
        ]


def fitted_on(metric: str, others: Sequence[RatedLanguagePair]) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
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


def another_rater(data: RatedLanguagePair, drawn: UnitResamples) -> ErrorFreeMetric | None:
    """Each rating predicted by those of other raters of the output, who have no threshold to choose."""
    others = data.outputs.others(by_same_rater=False)
    pairs = [(row, other, 1 / len(rows)) for row, rows in enumerate(others) for other in rows]
    if not pairs:
        return None
    first, second = (np.array(each, dtype=np.int64) for each in list(zip(*pairs, strict=True))[:2])
    rows = _Rows(data, first, np.array([weight for *_, weight in pairs]), drawn)
    y, called = data.is_free[first], data.is_free[second]
    scores = np.nan_to_num(data.ratings.score[second], nan=0.0)
    order = np.lexsort((scores, called))  # no error is above every error, whatever the scores
    rank = np.empty(len(order))
    steps = np.diff(scores[order], prepend=np.nan) != 0
    rank[order] = np.cumsum(steps | (np.diff(called[order].astype(int), prepend=0) != 0))
    found = rows.evaluated(ANOTHER_RATER, Detector.of(rank, y), y)
    return replace(rows.at(found, called, y), is_baseline=True)


def calling_everything(data: RatedLanguagePair, drawn: UnitResamples) -> ErrorFreeMetric:
    """What calling every output error-free reaches: F must be above that to be worth anything."""
    every = np.ones(len(data.is_free), dtype=np.bool_)
    rows = _Rows(data, every, np.ones(len(every)), drawn)
    found = rows.evaluated(EVERYTHING, Detector.of(np.zeros(len(every)), data.is_free), data.is_free)
    return replace(rows.at(found, every, data.is_free), is_baseline=True)


def means(found: Sequence[ErrorFreeMetric]) -> ErrorFreeMetric:
    """The mean of a metric over its language pairs: all values over those where ratings of both kinds were found.

    A value that is undefined on one of these has no mean, which would be over other pairs than its neighbours. Bounds
    are the means of the bounds of the pairs: wide enough even if the pairs share their documents, as they do at WMT.
    """
    used = [each for each in found if each.roc_area.value == each.roc_area.value]

    def mean(values: Iterable[float]) -> float:
        return sum(values) / len(used) if used else float("nan")

    def estimate(name: str) -> Estimate:
        of_pairs = [getattr(each, name) for each in used]
        reason = next((each.reason for each in of_pairs if each.value != each.value), None) if used else _ONE_KIND
        low, high = mean(each.low for each in of_pairs), mean(each.high for each in of_pairs)
        return Estimate(mean(each.value for each in of_pairs), len(used), low, high, reason=reason)

    return ErrorFreeMetric(
        metric=found[0].metric,
        lp="",
        pairs=len(used),
        n=sum(each.n for each in used),
        free=sum(each.free for each in used),
        units=sum(each.units for each in used),
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


def pooled_bins(rows: Iterable[ErrorFreeMetric]) -> list[ErrorFreeBin]:
    """The bins of several language pairs together: those with probabilities in the same tenth."""
    tenths: dict[int, list[ErrorFreeBin]] = {}
    for each in (found for row in rows for found in row.bins if found.predicted == found.predicted):
        tenths.setdefault(_tenth(each.predicted), []).append(each)
    return [_pooled(bins) for _, bins in sorted(tenths.items())]


def _pooled(bins: Sequence[ErrorFreeBin]) -> ErrorFreeBin:
    n = sum(each.n for each in bins)
    predicted, observed = (sum(getattr(each, name) * each.n for each in bins) / n for name in ("predicted", "observed"))
    return ErrorFreeBin(predicted, observed, n)


def _tenth(probability: float) -> int:
    return min(int(probability * _BINS), _BINS - 1)
