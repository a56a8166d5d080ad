"""Fits to all protocols and languages, partially pooled: each part of the data has a curve between its own and that of
all.

An ordered logistic regression on one score, whose weight and threshold deviate for each protocol, and within it for
each group of target languages. Deviations have a normal prior around 0 (random effects), as a penalty: a part with many
pairs moves them, and one with few follows the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from assay.aggregate import interval
from assay.aggregate.resample import ClusterBootstrap
from assay.calibration.effective_sample import independent_pairs
from assay.calibration.explanation import Question
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.joint import JointPairs, Predictions
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.populations import group_of
from assay.calibration.validation import Drawing, clustered_mean, squared_error
from assay.lazily import numpy as np
from assay.logistic import fit_logistic, sigmoid, weighted_sum
from assay.results import ALL, Calibration, Estimate, Explanation
from assay.results.calibration import ENOUGH_PAIRS
from assay.results.explanation import SAME, PartlyPooled
from assay.significance import ALPHA
from assay.significance.proportions import exact_bounds
from assay.types import FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

    from assay.results.judged_pairs import JudgedPairs

    Rows: TypeAlias = npt.NDArray[np.bool_]

__all__ = ["PENALTIES", "Part", "PartFit", "PartPairs", "left_out_rows", "partly_pooled"]

PENALTIES = (1.0, 10.0)
"""Of the squared deviations of protocols, and of language groups within them, where a typical difference is 1.

Protocols hardly help each other, and language groups a little (docs/methods/calibration.md).
"""
_RIDGE = 1e-2
_THRESHOLD_RIDGE = 1e-6
_START = 0.5
Part: TypeAlias = tuple[str, str]
"""A protocol, and a group of target languages (or `ALL`)."""


@dataclass(frozen=True, slots=True, eq=False)
class PartPairs:
    """Pairs of systems of all protocols with one score."""

    difference: FloatArray
    first: FloatArray
    second: FloatArray
    protocol: npt.NDArray[np.str_]
    group: npt.NDArray[np.str_]
    campaign: npt.NDArray[np.str_]
    lp: npt.NDArray[np.str_]
    """With its campaign: what is resampled."""
    systems: npt.NDArray[np.int64]

    @classmethod
    def of(cls, judged: Iterable[JudgedPairs], key: tuple[str, str], alpha: float, sized: int | None) -> PartPairs:
        """The pairs that a score compares; of so many judged segments, if a size is given."""
        judged = list(judged)
        parts: list[tuple[npt.NDArray[Any], ...]] = []
        for protocol in dict.fromkeys(each.protocol for each in judged):
            found = [system_pairs_of(each, [key]) for each in judged if each.protocol == protocol]
            pairs = JointPairs.of(found, [key], alpha, sized)
            if not len(pairs):
                continue
            groups = np.array([group_of(lp) or "" for _, lp in pairs.clusters])[pairs.cluster]
            lps = np.array([f"{campaign} {lp}" for campaign, lp in pairs.clusters])[pairs.cluster]
            start = sum(part[-1].max(initial=-1) + 1 for part in parts)
            columns = (pairs.differences[:, 0], pairs.first, pairs.second, np.full(len(pairs), protocol))
            parts.append((*columns, groups, pairs.campaign, lps, pairs.systems + start))
        if not parts:
            empty, names = np.zeros(0), np.zeros(0, dtype="<U1")
            return cls(empty, empty, empty, names, names, names, names, np.zeros((0, 2), dtype=np.int64))
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def __len__(self) -> int:
        return len(self.difference)

    def take(self, rows: Rows) -> PartPairs:
        """Some of the pairs."""
        names = ("difference", "first", "second", "protocol", "group", "campaign", "lp", "systems")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def are_in(self, part: Part) -> Rows:
        """Which pairs a part of the data has."""
        protocol, group = part
        rows: Rows = (self.protocol == protocol) & ((group == ALL) | (self.group == group))
        return rows

    @property
    def better(self) -> FloatArray:
        """How often people prefer the better-scored system."""
        return np.where(self.difference > 0, self.first, self.second)


@dataclass(frozen=True, slots=True, eq=False)
class PartFit:
    """Probabilities from signed differences, for one part of the data: as all others, but for its deviations."""

    part: Part
    scale: float
    point: FloatArray

    @classmethod
    def of(
        cls,
        pairs: PartPairs,
        part: Part,
        penalties: Sequence[float] = PENALTIES,
        *,
        counts: FloatArray | None = None,
        start: PartFit | None = None,
    ) -> PartFit:
        """The fit to all pairs, and the deviations of the protocol and of the group of a part."""
        scale = float(np.sqrt((pairs.difference**2).mean())) if start is None else start.scale
        levels = [pairs.are_in((part[0], ALL)).astype(np.float64), pairs.are_in(part).astype(np.float64)]
        weights, thresholds = _columns(pairs.difference / scale, levels)
        point = fit_logistic(
            np.concatenate([np.concatenate([weights, -weights], axis=1), np.tile(thresholds, 2)]),
            np.concatenate([pairs.first, pairs.second]),
            np.array([_RIDGE, *penalties, _THRESHOLD_RIDGE, *penalties]),
            start=np.array([_START, 0.0, 0.0] * 2) if start is None else start.point,
            least=np.array([0.0, *[-np.inf] * 5]),
            counts=None if counts is None else np.tile(counts, 2),
        )
        return cls(part, scale, point)

    def __call__(self, difference: FloatArray) -> Predictions:
        """That people significantly prefer the first and the second system, in the part."""
        weights, thresholds = _columns(difference / self.scale, [np.ones(len(difference))] * 2)
        leaning = np.maximum(self.point[:3].sum(), 0.0) * weights[0]  # a better score never speaks against a system
        threshold = weighted_sum(thresholds, self.point[3:])
        return sigmoid(leaning + threshold), sigmoid(-leaning + threshold)


def _columns(x: FloatArray, levels: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """What weights and thresholds are multiplied with: of all pairs, and of those at each level."""
    return np.stack([x, *(x * level for level in levels)]), -np.stack([np.ones(len(x)), *levels])


def left_out_rows(pairs: PartPairs, part: Part) -> Iterator[tuple[Rows, Rows]]:
    """For each campaign of a part, the pairs of all other campaigns and its own in the part; none of a single one."""
    in_part = pairs.are_in(part)
    campaigns = np.unique(pairs.campaign[in_part])
    for name in campaigns if len(campaigns) > 1 else ():
        yield pairs.campaign != name, in_part & (pairs.campaign == name)


def partly_pooled(explanation: Explanation, question: Question, calibration: Calibration) -> PartlyPooled | None:
    """What a partially pooled fit says for the group of the target language, if it predicts left-out campaigns better.

    Nothing where no group was asked for, or no other campaign could test it.
    """
    population = explanation.population
    is_asked = question.group != ALL and question.kinds == question.domain == ALL
    if not is_asked or population is None or explanation.step is None or explanation.orientation != "by-metric":
        return None
    key, alpha = (question.metric, question.aggregation), float(calibration.settings.get("alpha", ALPHA))
    pairs, part = PartPairs.of(calibration.pairs, key, alpha, question.judged), (population.protocol, question.group)
    errors = {
        "partly_pooled": _left_out_errors(pairs, part, lambda known: lambda x: PartFit.of(known, part)(x)[0]),
        "answer": _left_out_errors(pairs, part, lambda known: _curve(known, (population.protocol, population.group))),
    }
    brier = {name: float(each.mean()) if len(each) else math.nan for name, each in errors.items()}
    if not brier["partly_pooled"] <= brier["answer"]:
        return None
    drawing = Drawing.of(calibration.settings)
    names = [name for _, rows in left_out_rows(pairs, part) for name in pairs.lp[rows].tolist()]
    _, cluster = np.unique(names, return_inverse=True)
    less = clustered_mean(errors["partly_pooled"] - errors["answer"], cluster, drawing)
    return replace(_answered(pairs, part, question.difference, brier, drawing), brier_difference=less)


def _curve(known: PartPairs, part: Part) -> Callable[[FloatArray], FloatArray]:
    """The curve of a part alone, or of a whole protocol."""
    own = known.take(known.are_in(part))
    return fit_isotonic(np.abs(own.difference), own.better)


def _left_out_errors(
    pairs: PartPairs, part: Part, fit: Callable[[PartPairs], Callable[[FloatArray], FloatArray]]
) -> FloatArray:
    """The squared errors in a part, each campaign predicted from the others; none if there are no others."""
    errors = [
        squared_error(fit(pairs.take(known))(np.abs(pairs.difference[rows])), pairs.better[rows])
        for known, rows in left_out_rows(pairs, part)
    ]
    return np.concatenate(errors or [np.zeros(0)])


def _answered(
    pairs: PartPairs, part: Part, difference: float, brier: dict[str, float], drawing: Drawing
) -> PartlyPooled:
    """The probabilities with bounds: those of resampled language pairs, or exact ones of the pairs of the part with
    about this probability, whichever are wider. There is no answer where these are few.
    """
    fit, x = PartFit.of(pairs, part), np.array([difference])
    value, other = (float(side[0]) for side in fit(x))
    own = pairs.take(pairs.are_in(part))
    near = np.abs(fit(np.abs(own.difference))[0] - value) <= SAME
    count = int(near.sum())
    if count < ENOUGH_PAIRS:
        undefined = Estimate(math.nan, count, reason="too few pairs of systems had about this probability")
        return PartlyPooled(part[1], undefined, undefined, brier)
    independent = np.full(2, independent_pairs(own.systems[near]))
    low, high = exact_bounds(np.array([value, other]), independent, drawing.tail)
    clusters, place = np.unique(pairs.lp, return_inverse=True)
    weights = ClusterBootstrap(drawing.resamples, drawing.seed).weights(len(clusters))
    if not isinstance(weights, str):
        rows = (row[place].astype(np.float64) for row in weights)
        drawn = [[float(side[0]) for side in PartFit.of(pairs, part, counts=row, start=fit)(x)] for row in rows]
        bounds = interval(np.array(drawn).T, drawing.confidence)
        low, high = np.minimum(low, bounds[0]), np.maximum(high, bounds[1])
    supported = min(value, (int(independent[0]) + 1) / (int(independent[0]) + 2))  # the rule of succession
    return PartlyPooled(
        part[1],
        Estimate(supported, count, min(float(low[0]), supported), float(high[0])),
        Estimate(other, count, float(low[1]), float(high[1])),
        brier,
    )
