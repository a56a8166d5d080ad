"""Intervals over whole documents: wider the fewer these are, and the more unequal in size.

Percentile intervals are too narrow where few units are drawn. The expanded interval (Hesterberg 2015, section 4.2)
takes quantiles further out: those where a normal interval would be as wide as one with Student's t and the unbiased
variance. Units of unequal size count as fewer: as the effective number (sum of sizes)² / sum of squared sizes (Kish
1965), because a value rests on the large ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import MIN_CLUSTERS, Bootstrap
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results import Estimate
from assay.types import FloatArray, IntArray, Note, NoteKind
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["DrawnUnits", "UnitResamples", "effective_number", "expanded_confidence", "few_units", "unit_sizes"]

FEW_UNITS = 30
"""With fewer (effective) units, intervals cover notably less often than they say; see docs/methods/intervals.md."""
_NEARLY_EQUAL = 0.8
_LARGEST_CONFIDENCE = 1 - 1e-9


def unit_sizes(unit: IntArray) -> FloatArray:
    """How many rows each unit has, of those that have any."""
    sizes = np.bincount(unit).astype(np.float64)
    return sizes[sizes > 0]


def effective_number(sizes: FloatArray) -> float:
    """How many units of equal size would tell as much; NaN without any."""
    total = float(sizes.sum())
    return total**2 / float((sizes**2).sum()) if total > 0 else math.nan


def expanded_confidence(confidence: float, effective: float) -> float:
    """The level of the percentile interval that stands for one of this confidence, with so many units."""
    from scipy.stats import norm, t  # slow to import

    if not effective > 1:
        return _LARGEST_CONFIDENCE
    tail = (1 - confidence) / 2
    quantile = math.sqrt(effective / (effective - 1)) * float(t.isf(tail, max(effective - 1, 1.0)))
    return min(1 - 2 * float(norm.sf(quantile)), _LARGEST_CONFIDENCE)


def few_units(sizes: FloatArray, unit: str, confidence: float) -> Iterator[Note]:
    """A note on intervals from few units, or from units of so different sizes that a value rests on few of them."""
    count, effective = len(sizes), effective_number(sizes)
    if not count or effective >= FEW_UNITS:
        return
    text = f"intervals from {plural(count, unit)}"
    if effective < _NEARLY_EQUAL * count:
        text += (
            f" of very different sizes (they count as {effective:.1f} of equal size; the largest has "
            f"{100 * sizes.max() / sizes.sum():.0f} %)"
        )
    text += f" are rough: they cover less often than {100 * confidence:.4g} %"
    yield Note(NoteKind.ADVICE, text, count=count)


class DrawnUnits(NamedTuple):
    """A value with its interval, and the replicates it came from; None if nothing was drawn."""

    estimate: Estimate
    replicates: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class UnitResamples:
    """How whole documents (or segments, where these are not known) are drawn, and how often an interval covers."""

    resamples: int
    seed: int
    confidence: float
    runtime: Runtime

    def estimates(
        self,
        values: Sequence[float],
        n: int,
        sizes: FloatArray,
        unit: str,
        replicates: Callable[[FloatArray], Sequence[FloatArray]],
    ) -> list[DrawnUnits]:
        """Values with their intervals; `replicates` gives each value for weights (resample, unit).

        `sizes` are those of the units, `unit` is `document` or `segment`, `n` the number of observations.
        """
        if not self.resamples:
            return [DrawnUnits(Estimate(value, n)) for value in values]
        if reason := _too_few(sizes, unit):
            return [DrawnUnits(Estimate(value, n, reason=reason)) for value in values]
        blocks = Bootstrap(self.resamples, None, self.seed).blocks(len(sizes), self.runtime)
        drawn = [np.concatenate(each) for each in zip(*(replicates(b.astype(np.float64)) for b in blocks), strict=True)]
        level = expanded_confidence(self.confidence, effective_number(sizes))
        return [
            DrawnUnits(estimate_from_replicates(value, each, n, level), each)
            if not math.isnan(value)
            else DrawnUnits(Estimate(value, n))
            for value, each in zip(values, drawn, strict=True)
        ]

    def ratios(self, parts: FloatArray, sizes: FloatArray, unit: str) -> list[Estimate]:
        """Ratios of sums over units, with intervals from the same draws: `parts` and `sizes` are (unit, ratio).

        A ratio rests on the units in which it has a size.
        """
        totals, counts = parts.sum(axis=0), sizes.sum(axis=0)
        values = [float(part / size) if size else math.nan for part, size in zip(totals, counts, strict=True)]
        of_units = [column[column > 0] for column in sizes.T]
        reasons = [_too_few(each, unit) for each in of_units]
        drawn = np.zeros((0, len(values)))
        if self.resamples and not all(reasons):
            blocks = Bootstrap(self.resamples, None, self.seed).blocks(len(sizes), self.runtime)
            with np.errstate(invalid="ignore", divide="ignore"):
                drawn = np.concatenate([(b @ parts) / (b @ sizes) for b in (b.astype(np.float64) for b in blocks)])
        found = []
        for number, value in enumerate(values):
            n = round(float(counts[number]))
            if not self.resamples or reasons[number]:
                found.append(Estimate(value, n, reason=reasons[number] or None if self.resamples else None))
                continue
            level = expanded_confidence(self.confidence, effective_number(of_units[number]))
            replicates = drawn[:, number]
            found.append(estimate_from_replicates(value, replicates[~np.isnan(replicates)], n, level))
        return found

    def settings(self, method: str) -> dict[str, str]:
        """What reproduces the intervals."""
        drawn = {"resamples": str(self.resamples), "seed": str(self.seed)}
        return {"ci": method, **drawn, "confidence": option_text(self.confidence)}

    def notes(self, sizes: FloatArray, unit: str) -> Iterator[Note]:
        """Why there are no intervals, or how far to trust those of few units."""
        if self.resamples and len(sizes) and (reason := _too_few(sizes, unit)):
            yield Note(NoteKind.UNDEFINED, reason, count=len(sizes))
        elif self.resamples:
            yield from few_units(sizes, unit, self.confidence)


def _too_few(sizes: FloatArray, unit: str) -> str:
    """Why nothing is drawn: few units, or few that matter; see `MIN_CLUSTERS`."""
    counted, effective = plural(len(sizes), unit), effective_number(sizes)
    if len(sizes) < MIN_CLUSTERS:
        return f"no interval: {counted}, fewer than {MIN_CLUSTERS}"
    if effective < MIN_CLUSTERS:
        return f"no interval: {counted} count as {effective:.1f} of equal size, fewer than {MIN_CLUSTERS}"
    return ""
