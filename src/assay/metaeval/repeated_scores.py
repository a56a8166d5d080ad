"""How well scores of the same outputs agree that were made again: in other votes, or by another prompt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from assay.agreement import Batch
from assay.agreement.kendall import Kendall
from assay.judges.repeats import changed_orders, cohen_kappa
from assay.lazily import numpy as np
from assay.results import Estimate
from assay.types import FloatArray

__all__ = ["repeated_measures"]

_FEW = "no two scores of the same outputs"


def repeated_measures(
    label: str, unit: str, pairs: Sequence[tuple[FloatArray, FloatArray]], *, has_kappa: bool = True
) -> Mapping[str, tuple[Estimate, str]]:
    """Measures over pairs of scores (system, segment) in a `unit`: tau-b, kappa, and orders of systems; what n counts.

    Each measure is the mean over the pairs of scores in which it is defined, except the share of orders that change,
    which is one of all pairs of systems and of scores. NaN: an output has no score. `has_kappa`: scores are on the same
    scale, so that equal ones mean the same.
    """
    outputs = [_common(one, other) for one, other in pairs]
    taus = (_mean(map(_tau, outputs), len(pairs), "scores do not vary"), unit)
    found = [cohen_kappa(zip(*(side.tolist() for side in scores), strict=True)) for scores in outputs]
    kappas = (_mean(found, len(pairs), "all scores are equal"), unit)
    orders = [changed_orders(*pair) for pair in pairs]
    changed, compared = (sum(counts[k] for counts in orders) for k in (0, 1))
    reason = None if compared else "there are fewer than two systems with scores"
    share = Estimate(changed / compared if compared else math.nan, compared, reason=reason)
    return {
        f"Kendall's tau-b, {label}": taus,
        **({f"kappa of equal scores, {label}": kappas} if has_kappa else {}),
        f"pairs of systems in another order, {label}": (share, "comparisons of two systems"),
    }


def _common(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The scores of the outputs that have both."""
    both = ~np.isnan(one) & ~np.isnan(other)
    return one[both], other[both]


def _mean(values: Iterable[float], pairs: int, reason: str) -> Estimate:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return Estimate(math.nan, 0, reason=reason if pairs else _FEW)
    return Estimate(sum(defined) / len(defined), len(defined))


def _tau(scores: tuple[FloatArray, FloatArray]) -> float:
    one, other = scores
    if not len(one):
        return math.nan
    batch = Batch(one[np.newaxis], other[np.newaxis], np.ones((1, len(one)), dtype=np.bool_))
    return float(Kendall().compute(batch).values[0])
