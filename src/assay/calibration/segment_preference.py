"""The probability that people prefer one of two outputs of a segment, from the differences of their scores.

The differences are added up with weights of an ordered logistic regression, and the size of the sum is turned into a
probability by an isotonic fit. Only the size enters, and its sign says of which output the probability is, so that the
outputs in the other order have exactly the complement. Where people saw no difference, each output is preferred half.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.preference_fit import fit_preference
from assay.calibration.validation import left_out_in_turn, squared_error
from assay.errors import InputError
from assay.lazily import numpy as np
from assay.results import (
    ComparedScores,
    CoveragePoint,
    HeldOutPreferences,
    PreferenceBin,
    PreferenceEvaluation,
    PreferencePopulation,
    PreferredOutput,
    SegmentPreferenceFit,
)
from assay.types import FloatArray, IntArray
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "THRESHOLDS",
    "OutputPairs",
    "answers",
    "evaluations",
    "fit_segments",
    "population",
    "probabilities",
    "shown_threshold",
]

THRESHOLDS = tuple(round(0.5 + 0.01 * step, 2) for step in range(50))
"""From which probability on something is an answer: those that are evaluated."""
_MIN_SEGMENTS = 30
_MOST_STEPS = 100
_LEAST_IN_STEP = 100  # pairs
_RIDGE = 1.0
_PARTS = 5
_BIN = 0.05
_ROUNDING = 1e-9
_MOST_OUTSIDE = 0.5  # of segments, before their scores are taken for those of another metric

_Way = Literal["campaign", "language pair", "part of the documents"]


@dataclass(frozen=True, slots=True, eq=False)
class OutputPairs:
    """Pairs of judged outputs of a segment, of one language pair."""

    campaign: str
    lp: str
    protocol: str
    human: str
    differences: FloatArray
    """(pair, metric): the score of the first output minus that of the second, higher is better."""
    outcome: FloatArray
    """1: people preferred the first output, 0: the second, 0.5: they saw no difference."""
    segment: IntArray
    document: IntArray
    unit: str
    """`segment`: documents are not known, and segments stand for them."""
    count: int
    """All pairs, of which some were drawn."""

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def label(self) -> str:
        """The test set and the language pair."""
        return f"{self.campaign} {self.lp}".strip()


@dataclass(frozen=True, slots=True, eq=False)
class _Pooled:
    """The pairs of several language pairs."""

    differences: FloatArray
    outcome: FloatArray
    document: IntArray
    """Different ones for each language pair."""
    source: IntArray
    """The number of the language pair."""

    @classmethod
    def of(cls, pairs: Sequence[OutputPairs]) -> _Pooled:
        documents, first = [], 0
        for each in pairs:
            documents.append(each.document + first)
            first += int(each.document.max(initial=-1)) + 1
        return cls(
            np.concatenate([each.differences for each in pairs]),
            np.concatenate([each.outcome for each in pairs]),
            np.concatenate(documents),
            np.repeat(np.arange(len(pairs)), [len(each) for each in pairs]),
        )


def population(pairs: Sequence[OutputPairs]) -> PreferencePopulation:
    """What was judged."""
    names = tuple(dict.fromkeys(each.campaign for each in pairs if each.campaign))
    units = {each.unit for each in pairs}
    unit = units.pop() if len(units) == 1 else "segment"
    return PreferencePopulation(
        campaigns=names,
        pairs=tuple(each.label if len(names) > 1 else each.lp for each in pairs),
        protocols=tuple(dict.fromkeys(each.protocol or each.human for each in pairs)),
        outputs=sum(each.count for each in pairs),
        drawn=sum(map(len, pairs)),
        segments=sum(len(np.unique(each.segment)) for each in pairs),
        units=sum(len(np.unique(each.document)) for each in pairs),
        unit=unit,
        ties=float(np.mean(np.concatenate([each.outcome for each in pairs]) == 0.5)),
    )


def fit_segments(pairs: Sequence[OutputPairs]) -> SegmentPreferenceFit:
    """The fit to judgements; raise if they are of very few segments."""
    segments = population(pairs).segments
    if segments < _MIN_SEGMENTS:
        message = f"people compared outputs of {plural(segments, 'segment')}, and at least {_MIN_SEGMENTS} are needed"
        raise InputError(message, hint="add campaigns with judgements")
    pooled = _Pooled.of(pairs)
    return _fitted(pooled.differences, pooled.outcome)


def _fitted(differences: FloatArray, outcome: FloatArray) -> SegmentPreferenceFit:
    scales = np.sqrt((differences**2).mean(axis=0))
    scales[scales == 0] = 1.0
    columns = differences / scales
    weights = np.ones(1)
    if columns.shape[1] > 1:
        first, second = (outcome == 1).astype(np.float64), (outcome == 0).astype(np.float64)
        weights = fit_preference(columns, first, second, ridge=_RIDGE).weights
    leaning = _leaning(columns, weights)
    known = leaning != 0
    size = np.abs(leaning[known])
    if not len(size):
        return SegmentPreferenceFit(tuple(scales.tolist()), tuple(weights.tolist()), (0.0,), (0.5,), 0.0)
    of_larger = np.where(leaning[known] > 0, outcome[known], 1 - outcome[known])
    begins = _steps(size)
    step = np.searchsorted(begins, size, side="right") - 1
    curve = fit_isotonic(begins[step], of_larger)
    y = np.maximum(curve.y, 0.5)
    kept = np.append(True, y[1:] > y[:-1])
    return SegmentPreferenceFit(
        tuple(scales.tolist()),
        tuple(weights.tolist()),
        tuple(curve.x[kept].tolist()),
        tuple(y[kept].tolist()),
        float(size.max()),
    )


def _steps(size: FloatArray) -> FloatArray:
    """Where steps may begin: so that about as many pairs are in each, and never few."""
    count = min(max(len(size) // _LEAST_IN_STEP, 1), _MOST_STEPS)
    begins = np.unique(np.quantile(size, np.arange(count) / count, method="lower"))
    begins[0] = 0.0
    return np.asarray(begins)


def _leaning(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted sum of each row, without BLAS, whose last bits depend on its number of threads."""
    total: FloatArray = (columns * weights).sum(axis=1)
    return total


def probabilities(fit: SegmentPreferenceFit, differences: FloatArray) -> FloatArray:
    """That people prefer the first output, for rows of differences; NaN beyond those that people judged."""
    leaning = _leaning(differences / np.array(fit.scales), np.array(fit.weights))
    size = np.abs(leaning)
    step = np.searchsorted(np.array(fit.x), size, side="right") - 1
    beyond_half = np.sign(leaning) * (np.array(fit.y)[np.maximum(step, 0)] - 0.5)
    return np.where(size <= fit.largest * (1 + _ROUNDING), 0.5 + beyond_half, np.nan)


def answers(
    fit: SegmentPreferenceFit,
    metrics: Sequence[str],
    first: FloatArray,
    second: FloatArray,
    signs: Sequence[int],
    threshold: float,
    items: Sequence[str] = (),
) -> Iterator[PreferredOutput]:
    """Each segment with its answer, from the scores (metric, segment) of both outputs.

    Raise if most of them differ more than those of judged outputs.
    `signs` are -1 for metrics whose lower scores are better. Without a threshold (NaN) there is no answer.
    """
    differences = ((first - second) * np.array(signs)[:, np.newaxis]).T
    found = probabilities(fit, differences)
    is_scored = ~np.isnan(differences).any(axis=1)
    outside = float(np.isnan(found[is_scored]).mean()) if is_scored.any() else 0.0
    if outside > _MOST_OUTSIDE:
        raise InputError(
            f"the scores of {100 * outside:.0f} % of the segments differ more than those of any judged outputs: they "
            "are probably of another metric, version or scale"
        )
    for segment, value in enumerate(found.tolist()):
        scores = tuple(
            ComparedScores(name, float(first[number, segment]), float(second[number, segment]))
            for number, name in enumerate(metrics)
        )
        item = items[segment] if items else ""
        if not is_scored[segment]:
            yield PreferredOutput(segment + 1, item, scores, math.nan, "no score")
        elif math.isnan(value):
            yield PreferredOutput(segment + 1, item, scores, math.nan, "outside")
        elif not max(value, 1 - value) >= threshold - _ROUNDING or value == 0.5:
            yield PreferredOutput(segment + 1, item, scores, value, "abstain")
        else:
            yield PreferredOutput(segment + 1, item, scores, value, "first" if value > 0.5 else "second")


def evaluations(
    pairs: Sequence[OutputPairs], metrics: Sequence[str], drawn: UnitResamples
) -> Iterator[PreferenceEvaluation]:
    """What fits say of judgements they were not fitted to: campaigns and language pairs, or parts of a single one."""
    pooled = _Pooled.of(pairs)
    unit = population(pairs).unit
    for by, labels in _ways(pairs, pooled, drawn.seed):
        predicted = _predicted(pooled.differences, pooled, labels)
        alone = (
            {name: _brier(_predicted(pooled.differences[:, [k]], pooled, labels), pooled.outcome)}
            for k, name in enumerate(metrics)
            if len(metrics) > 1
        )
        oriented = _Oriented.of(predicted, pooled)
        yield PreferenceEvaluation(
            by=by,
            n=len(predicted),
            units=len(np.unique(pooled.document)),
            brier=_brier(predicted, pooled.outcome),
            brier_alone={name: value for each in alone for name, value in each.items()},
            bins=tuple(oriented.bins()),
            curve=tuple(oriented.curve(drawn, unit)),
            parts=tuple(oriented.part(name, labels == name, pooled.outcome) for name in dict.fromkeys(labels.tolist())),
        )


def _ways(pairs: Sequence[OutputPairs], pooled: _Pooled, seed: int) -> Iterator[tuple[_Way, npt.NDArray[np.str_]]]:
    """What is left out in turn, with a label for each pair of outputs."""
    campaigns, lps = ([getattr(each, name) for each in pairs] for name in ("campaign", "lp"))
    if len(set(campaigns)) > 1:
        yield "campaign", np.array(campaigns)[pooled.source]
    if len(set(lps)) > 1:
        yield "language pair", np.array(lps)[pooled.source]
    if len(pairs) == 1:
        documents = np.unique(pooled.document)
        part = np.empty(int(documents.max()) + 1, dtype=np.int64)
        for number, each in enumerate(np.array_split(np.random.default_rng(seed).permutation(documents), _PARTS), 1):
            part[each] = number
        yield "part of the documents", np.array([f"part {number}" for number in part[pooled.document].tolist()])


def _predicted(differences: FloatArray, pooled: _Pooled, labels: npt.NDArray[np.str_]) -> FloatArray:
    """The probability of each pair, by a fit without its part; one half beyond what the others differ: no answer."""
    predicted = np.full(len(labels), 0.5)
    for others, own in left_out_in_turn(labels):
        fit = _fitted(differences[others], pooled.outcome[others])
        known = probabilities(fit, differences[own])
        predicted[own] = np.where(np.isnan(known), 0.5, known)
    return predicted


def _brier(predicted: FloatArray, outcome: FloatArray) -> float:
    """The mean squared error; no difference is half of a win and half of a loss."""
    return float(squared_error(predicted, outcome).mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Oriented:
    """Held-out pairs from the side of the output that is more probably preferred."""

    first: FloatArray
    """The probability of the first output."""
    probability: FloatArray
    won: FloatArray
    lost: npt.NDArray[np.bool_]
    unit: IntArray

    @classmethod
    def of(cls, predicted: FloatArray, pooled: _Pooled) -> _Oriented:
        is_first = predicted > 0.5
        won = np.where(is_first, pooled.outcome, np.where(predicted < 0.5, 1 - pooled.outcome, 0.5))
        unit = np.unique(pooled.document, return_inverse=True)[1].astype(np.int64)
        return cls(predicted, np.maximum(predicted, 1 - predicted), won, won == 0, unit)

    def answered(self, threshold: float) -> npt.NDArray[np.bool_]:
        """Which pairs have an answer: with scores that do not differ, none has."""
        return np.asarray((self.probability >= threshold - _ROUNDING) & (self.probability > 0.5))

    def bins(self) -> Iterator[PreferenceBin]:
        """The reliability curve, of pairs with an answer."""
        place = np.floor((self.probability - 0.5) / _BIN + _ROUNDING).astype(np.int64)
        for number in np.unique(place[self.probability > 0.5]).tolist():
            within = (place == number) & (self.probability > 0.5)
            predicted, won, lost = (float(each[within].mean()) for each in (self.probability, self.won, self.lost))
            yield PreferenceBin(predicted, won, lost, int(within.sum()))

    def part(self, name: str, rows: npt.NDArray[np.bool_], outcome: FloatArray) -> HeldOutPreferences:
        """What is said of some pairs, which were held out together."""
        within = rows & (self.probability > 0.5)
        values = (self.probability, self.won, self.lost)
        predicted, observed, opposite = (float(each[within].mean()) if within.any() else math.nan for each in values)
        masks = [self.answered(threshold) & rows for threshold in self.thresholds]
        return HeldOutPreferences(
            name,
            int(rows.sum()),
            _brier(self.first[rows], outcome[rows]),
            predicted,
            observed,
            opposite,
            tuple(int(mask.sum()) for mask in masks),
            tuple(float(self.won[mask].mean()) if mask.any() else math.nan for mask in masks),
        )

    @property
    def thresholds(self) -> list[float]:
        """Those at which some pair has an answer."""
        return [threshold for threshold in THRESHOLDS if self.answered(threshold).any()]

    def curve(self, drawn: UnitResamples, unit: str) -> Iterator[CoveragePoint]:
        """Coverage and accuracy by threshold, with intervals from the same draws of documents."""
        masks = [(threshold, self.answered(threshold)) for threshold in self.thresholds]
        units = int(self.unit.max(initial=-1)) + 1

        def sums(values: Iterable[FloatArray]) -> FloatArray:
            found = [np.bincount(self.unit, each, units) for each in values]
            return np.stack(found, axis=1) if found else np.zeros((units, 0))

        sizes = sums(mask.astype(np.float64) for _, mask in masks)
        accuracies, opposites = (
            drawn.ratios(sums(np.where(mask, side, 0.0) for _, mask in masks), sizes, unit)
            for side in (self.won, self.lost.astype(np.float64))
        )
        for (threshold, mask), accuracy, opposite in zip(masks, accuracies, opposites, strict=True):
            yield CoveragePoint(threshold, accuracy.n, float(mask.mean()), accuracy, opposite)


def shown_threshold(evaluation: PreferenceEvaluation, at_least: float) -> tuple[float, str]:
    """From which probability on there are answers, if held-out answers are shown to be right so often; or NaN and why.

    It is the first of those that are evaluated which is at least so high. No other is tried: the best of many would
    look better than it is.
    """
    point = evaluation.at(at_least)
    asked = f"{100 * at_least:g} %"
    if point is None:
        return math.nan, f"no held-out pair of outputs has a probability of {asked}"
    rate = point.accuracy
    is_unbounded = rate.reason is None and math.isnan(rate.low)  # without resamples
    if (rate.value if is_unbounded else rate.low) >= at_least:
        return point.at_least, ""
    return math.nan, rate.reason or f"held-out answers are not shown to be right in {asked}"
