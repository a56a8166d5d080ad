"""Several scores of the same pairs of systems: one fit, and whether it predicts better than the best of them alone.

The fit is an ordered logistic regression on the signed differences (`preference_fit`), whose penalty is the one that
predicts best without each campaign in turn. It was chosen by measurement (docs/methods/calibration.md): an isotonic
regression on a weighted sum of the differences predicts left-out campaigns worse. Single scores are fitted in the same
way, so that a comparison shows what several of them know, and not how good a kind of fit is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from assay.aggregate import interval
from assay.aggregate.resample import ClusterBootstrap
from assay.calibration.campaign_spread import CampaignSpread
from assay.calibration.effective_sample import independent_pairs
from assay.calibration.outcomes import OfLanguagePairs
from assay.calibration.preference_fit import PreferenceFit, fit_preference
from assay.calibration.system_kinds import LLM, MIXED, MT, is_of_kinds, pair_kinds
from assay.calibration.validation import (
    Drawing,
    Fitter,
    clustered_mean,
    folds_of,
    left_out_errors,
    left_out_in_turn,
    reliability_bins,
    squared_error,
)
from assay.lazily import numpy as np
from assay.results import Estimate, LeftOutFold, ReliabilityBin
from assay.results.explanation import SAME
from assay.results.joint_explanation import JointValidation, NearPairs
from assay.significance.proportions import exact_bounds
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

    from assay.calibration.options import Key
    from assay.calibration.system_pairs import SystemPairs

    Places: TypeAlias = npt.NDArray[np.intp]

__all__ = [
    "RIDGES",
    "ChosenFit",
    "JointAnswer",
    "JointFit",
    "JointModel",
    "JointPairs",
    "LeftOutPredictions",
    "SingleErrors",
    "best_fit",
    "kind_term",
    "predict_left_out",
    "unlike",
]

RIDGES = (0.01, 1.0, 3.0, 10.0, 30.0)
"""Penalties of the weights to choose from."""
Predictions: TypeAlias = "tuple[FloatArray, FloatArray]"
"""That people significantly prefer the first and the second system."""


@dataclass(frozen=True, slots=True, eq=False)
class JointPairs(OfLanguagePairs):
    """Pairs of systems that people judged and that all scores compare."""

    differences: FloatArray
    """(pair, score): positive if the score prefers the first system."""
    first: FloatArray
    """1 if people significantly prefer the first system, else 0; or shares of samples."""
    second: FloatArray
    kinds: npt.NDArray[np.str_]
    """The kinds of each pair, the first system named first; empty: unknown."""
    systems: IntArray
    cluster: IntArray
    segments: IntArray
    judged: IntArray
    """The number of judged segments of each system."""
    clusters: tuple[tuple[str, str], ...]
    """The campaign and the language pair of each number."""

    @classmethod
    def of(cls, members: Sequence[SystemPairs], keys: Sequence[Key], alpha: float, judged: int | None) -> JointPairs:
        """The pairs that all scores compare; pairs that all of them tie are left out."""
        clusters = tuple(dict.fromkeys((each.campaign, each.lp) for each in members))
        numbers: dict[tuple[int, str], int] = {}
        parts, systems, counts = [], [], []
        for each in members:
            if any(key not in each.differences for key in keys):
                continue
            differences = np.stack([each.differences[key] for key in keys], axis=1)
            first, second = each.significant(alpha, judged).T
            used = ~np.isnan(differences).any(axis=1) & (differences != 0).any(axis=1) & ~np.isnan(first + second)
            place = clusters.index((each.campaign, each.lp))
            kinds = np.array([pair_kinds(*pair, each.campaign) or "" for pair in each.systems], dtype="<U16")
            rows = (differences, first, second, kinds, np.full(len(each), place), each.segments)
            parts.append([row[used] for row in rows])
            for pair in (each.systems[k] for k in np.flatnonzero(used)):
                counts += [each.judged[name] for name in pair if (place, name) not in numbers]
                systems.append([numbers.setdefault((place, name), len(numbers)) for name in pair])
        empty = [[np.zeros((0, len(keys))), *[np.zeros(0)] * 2, np.zeros(0, dtype="<U16"), *[np.zeros(0)] * 2]]
        differences, first, second, kinds, cluster, segments = map(np.concatenate, zip(*(parts or empty), strict=True))
        return cls(
            differences,
            first,
            second,
            kinds,
            np.array(systems, dtype=np.int64).reshape(-1, 2),
            cluster.astype(np.int64),
            segments.astype(np.int64),
            np.array(counts, dtype=np.int64),
            clusters,
        )

    def __len__(self) -> int:
        return len(self.first)

    def take(self, places: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> JointPairs:
        """Some of the pairs."""
        names = ("differences", "first", "second", "kinds", "systems", "cluster", "segments")
        return replace(self, **{name: getattr(self, name)[places] for name in names})

    def of_score(self, score: int) -> JointPairs:
        """The same pairs with one score alone."""
        return replace(self, differences=self.differences[:, [score]])

    def of_kinds(self, kinds: str) -> npt.NDArray[np.bool_]:
        """Which pairs are of some kinds, whichever system is the first."""
        wanted = MIXED if kind_term(kinds) else kinds
        return np.array([is_of_kinds(each or None, wanted) for each in self.kinds.tolist()], dtype=np.bool_)

    def columns(self, *, knows_kinds: bool) -> FloatArray:
        """The differences and, if the fit knows kinds, which system is the language model."""
        if not knows_kinds:
            return self.differences
        terms = np.array([kind_term(each) for each in self.kinds.tolist()])
        return np.concatenate([self.differences, terms[:, np.newaxis]], axis=1)

    @property
    def folds(self) -> tuple[str, npt.NDArray[np.str_] | npt.NDArray[np.int64]]:
        """What is left out in turn."""
        return folds_of(self.campaign, self.cluster)

    @property
    def base_rate(self) -> float:
        """How often people significantly prefer a given one of two systems."""
        return float(np.concatenate([self.first, self.second]).mean())

    def errors(self, predicted: Predictions) -> FloatArray:
        """The squared errors of both probabilities of each pair, in the mean."""
        errors: FloatArray = (squared_error(predicted[0], self.first) + squared_error(predicted[1], self.second)) / 2
        return errors


def kind_term(kinds: str) -> float:
    """1 if only the first system is a language model and the second an MT system, -1 the other way round, else 0."""
    return {f"{LLM}-over-{MT}": 1.0, f"{MT}-over-{LLM}": -1.0}.get(kinds, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class JointFit:
    """From the differences of all scores to the probabilities that people significantly prefer either system."""

    scale: FloatArray
    """A typical difference of each score: the root of the mean square."""
    preference: PreferenceFit
    knows_kinds: bool
    ridge: float

    @classmethod
    def of(cls, pairs: JointPairs, ridge: float, *, knows_kinds: bool) -> JointFit:
        """The fit to pairs, on their own scale."""
        columns = pairs.columns(knows_kinds=knows_kinds)
        scale = np.sqrt((columns**2).mean(axis=0))
        scale[scale == 0] = 1.0
        scores = pairs.differences.shape[1]
        scale[scores:] = 1.0
        free = range(scores, columns.shape[1])
        return cls(
            scale,
            fit_preference(columns / scale, pairs.first, pairs.second, ridge=ridge, free=free),
            knows_kinds,
            ridge,
        )

    def refitted(self, pairs: JointPairs, weights: FloatArray) -> JointFit:
        """The same to pairs that have other weights."""
        columns, scores = pairs.columns(knows_kinds=self.knows_kinds) / self.scale, pairs.differences.shape[1]
        free = range(scores, columns.shape[1])
        found = fit_preference(
            columns, pairs.first, pairs.second, ridge=self.ridge, free=free, weights=weights, start=self.preference
        )
        return replace(self, preference=found)

    def __call__(self, columns: FloatArray) -> Predictions:
        """Predictions for rows of differences, with the kinds if the fit knows them."""
        return self.preference(columns / self.scale)

    @property
    def shares(self) -> FloatArray:
        """What a typical difference of each score counts, as shares of all scores."""
        weights = self.preference.weights[: len(self.scale) - self.knows_kinds]
        shares: FloatArray = weights / weights.sum() if weights.sum() > 0 else np.full(len(weights), math.nan)
        return shares


@dataclass(frozen=True, slots=True, eq=False)
class ChosenFit:
    """The fit with the penalty that predicts best what is left out in turn."""

    fit: JointFit
    error: float
    """The sum of the squared errors on what was left out to choose the penalty."""

    @classmethod
    def of(cls, pairs: JointPairs, *, knows_kinds: bool = False) -> ChosenFit:
        """Choose the penalty, and fit all pairs with it."""

        def fitter(ridge: float) -> Fitter:
            def errors(training: Places, left_out: Places) -> FloatArray:
                fit = JointFit.of(pairs.take(training), ridge, knows_kinds=knows_kinds)
                held_out = pairs.take(left_out)
                return held_out.errors(fit(held_out.columns(knows_kinds=knows_kinds)))

            return errors

        totals = left_out_errors({ridge: fitter(ridge) for ridge in RIDGES}, pairs.folds[1])
        ridge = min(totals, key=lambda each: totals[each])
        return cls(JointFit.of(pairs, ridge, knows_kinds=knows_kinds), totals[ridge])


def best_fit(pairs: JointPairs, *, knows_kinds: bool = False) -> JointFit:
    """The fit with the penalty that predicts best what is left out in turn."""
    return ChosenFit.of(pairs, knows_kinds=knows_kinds).fit


@dataclass(frozen=True, slots=True, eq=False)
class LeftOutPredictions:
    """Predictions for all pairs, each by a fit without its campaign (or language pair), and their errors."""

    held_out: str
    pairs: JointPairs
    predicted: Predictions
    joint: FloatArray
    constant: FloatArray

    @property
    def bins(self) -> list[ReliabilityBin]:
        """What people said of pairs, by the probability of the system that the scores together prefer."""
        first, second = self.predicted
        is_first = first >= second
        outcomes, opposite = (
            np.where(is_first, one, other)
            for one, other in ((self.pairs.first, self.pairs.second), (self.pairs.second, self.pairs.first))
        )
        return list(reliability_bins(np.where(is_first, first, second), outcomes, opposite))

    @property
    def parts(self) -> list[LeftOutFold]:
        """For each campaign or language pair, how often the system that is ahead was predicted to win, and did."""
        first, second = self.predicted
        hits = np.where(first >= second, self.pairs.first, self.pairs.second)
        unit, folds = self.pairs.folds
        found = []
        for _, rows in left_out_in_turn(folds):
            campaign, lp = self.pairs.clusters[int(self.pairs.cluster[rows[0]])]
            name = campaign if unit == "campaign" else f"{campaign} {lp}"
            ahead = float(np.maximum(first, second)[rows].mean())
            found.append(LeftOutFold(name, ahead, float(hits[rows].mean()), len(rows)))
        return found

    def validation(self, singles: SingleErrors, rows: npt.NDArray[np.bool_], drawing: Drawing) -> JointValidation:
        """The errors on some of the pairs, beside those of single scores on the same pairs."""
        difference = clustered_mean((self.joint - singles.chosen)[rows], self.pairs.cluster[rows], drawing)
        errors = {"joint": self.joint, "single": singles.chosen, "constant": self.constant}
        brier = {name: float(each[rows].mean()) for name, each in errors.items()}
        alone = tuple(float(each[rows].mean()) for each in singles.each)
        return JointValidation(self.held_out, brier, difference, int(rows.sum()), alone)


def predict_left_out(pairs: JointPairs, *, knows_kinds: bool = False) -> LeftOutPredictions | None:
    """Each campaign predicted from the others by all scores; the penalty is chosen without it, too."""
    unit, folds = pairs.folds
    splits = list(left_out_in_turn(folds))
    if not splits:
        return None
    predicted = (np.empty(len(pairs)), np.empty(len(pairs)))
    joint, constant = np.empty(len(pairs)), np.empty(len(pairs))
    for training, left_out in splits:
        known, asked = pairs.take(training), pairs.take(left_out)
        found = best_fit(known, knows_kinds=knows_kinds)(asked.columns(knows_kinds=knows_kinds))
        predicted[0][left_out], predicted[1][left_out] = found
        joint[left_out] = asked.errors(found)
        constant[left_out] = asked.errors((np.full(len(asked), known.base_rate),) * 2)
    return LeftOutPredictions(unit, pairs, predicted, joint, constant)


@dataclass(frozen=True, slots=True, eq=False)
class SingleErrors:
    """The errors of fits of one score alone, of the same kind as the joint fit, on what was left out."""

    each: FloatArray
    """(score, pair)."""
    chosen: FloatArray
    """Of the score that predicts best without what was left out."""

    @classmethod
    def of(cls, pairs: JointPairs, *, knows_kinds: bool = False) -> SingleErrors:
        """Each campaign predicted from the others by each score; penalties and the best score are chosen without it."""
        scores = range(pairs.differences.shape[1])
        each, chosen = np.empty((len(scores), len(pairs))), np.empty(len(pairs))
        for training, left_out in left_out_in_turn(pairs.folds[1]):
            lowest = math.inf
            for score in scores:
                known, asked = (pairs.take(rows).of_score(score) for rows in (training, left_out))
                found = ChosenFit.of(known, knows_kinds=knows_kinds)
                each[score, left_out] = asked.errors(found.fit(asked.columns(knows_kinds=knows_kinds)))
                if found.error < lowest:
                    lowest, chosen[left_out] = found.error, each[score, left_out]
        return cls(each, chosen)


@dataclass(frozen=True, slots=True, eq=False)
class JointAnswer:
    """What a fit says of two systems, with bounds; the numbers are of the system that it prefers."""

    is_first: bool
    probability: Estimate
    opposite: Estimate
    unbounded: float
    """The probability of the fit, which may be higher than the pairs support."""
    near: NearPairs


@dataclass(frozen=True, slots=True, eq=False)
class JointModel:
    """A fit with what its answers need: the pairs, and fits to resampled language pairs, unless these are too few."""

    pairs: JointPairs
    fit: JointFit
    resampled: tuple[JointFit, ...]
    drawing: Drawing
    spread: CampaignSpread | None = None
    """How much campaigns differ in what a number of judged segments shows; None for all judgements."""

    @classmethod
    def of(cls, pairs: JointPairs, fit: JointFit, drawing: Drawing, spread: CampaignSpread | None = None) -> JointModel:
        """A fit to pairs, and to resamples of them."""
        clusters, place = np.unique(pairs.cluster, return_inverse=True)
        weights = ClusterBootstrap(drawing.resamples, drawing.seed).weights(len(clusters))
        rows = () if isinstance(weights, str) else weights
        resampled = (fit.refitted(pairs, row[place].astype(np.float64)) for row in rows)
        return cls(pairs, fit, tuple(resampled), drawing, spread)

    def answer(self, differences: Sequence[float], kinds: str) -> JointAnswer | str:
        """The probabilities for two systems, or why there are none.

        Bounds are those of a bootstrap over language pairs or of Clopper and Pearson for as many of the pairs with
        about this probability as have no system in common, whichever are wider; those of a number of judged segments
        are for a campaign that the fit does not know, as those of a single score.
        """
        if reason := unlike(np.array(differences), self.pairs.differences):
            return reason
        row = np.array([[*differences, *([kind_term(kinds)] if self.fit.knows_kinds else [])]])
        first, second = (float(side[0]) for side in self.fit(row))
        if first == second:
            return "the scores cancel each other out"
        is_first, value, other = first > second, max(first, second), min(first, second)
        seen = np.maximum(*self.fit(self.pairs.columns(knows_kinds=self.fit.knows_kinds)))
        near = np.abs(seen - value) <= SAME
        if not near.any():
            return "no pair of systems had about this probability"
        found = NearPairs(int(near.sum()), independent_pairs(self.pairs.systems[near]))
        low, high = exact_bounds(np.array([value, other]), np.full(2, found.independent), self.drawing.tail)
        if self.resampled:
            drawn = np.array([[float(side[0]) for side in fit(row)] for fit in self.resampled])
            bounds = interval((drawn if is_first else drawn[:, ::-1]).T, self.drawing.confidence)
            low, high = np.minimum(low, bounds[0]), np.maximum(high, bounds[1])
        if self.spread is not None:
            least = 1 / (found.independent + 2)
            inside = np.array([min(max(value, least), 1 - least)])
            other_low, other_high = self.spread.bounds(inside, len(self.pairs.lps), self.drawing.tail)
            low[0], high[0] = min(low[0], other_low[0]), max(high[0], other_high[0])
        shown = min(value, found.supported)
        probability = Estimate(shown, found.pairs, min(float(low[0]), shown), float(high[0]))
        worst = max(other, min(float(high[1]), 1 - probability.low))  # who prefers one system does not prefer the other
        return JointAnswer(is_first, probability, Estimate(other, found.pairs, float(low[1]), worst), value, found)


def unlike(row: FloatArray, observed: FloatArray) -> str:
    """Why differences are unlike all that were observed together: too large, or of scores that never disagree so much.

    Both are seen from their distance, in terms of how the differences vary together (Mahalanobis).
    """
    inverse = np.linalg.pinv(observed.T @ observed / len(observed))
    distances = ((observed @ inverse) * observed).sum(axis=1)
    is_unlike = float(row @ inverse @ row) > float(distances.max())
    return "no observed pair of systems has such differences together" if is_unlike else ""
