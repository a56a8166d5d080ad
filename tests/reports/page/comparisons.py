"""Comparisons made up of their outcomes."""

from __future__ import annotations

import math

from assay.results import ComparedMetric, ComparedPair, Estimate, Explanation, Outcome, Power, SystemComparison
from assay.types import TestSetRecord

__all__ = ["compared", "comparison"]

SETTINGS = {"alpha": "0.05", "unit": "segment", "confidence": "0.95", "test": "randomisation"}


def compared(name, difference, p=0.001, *, aggregation="corpus", higher_is_better=True, noticed=None, ties=1):
    """A metric that finds this difference between new and base."""
    interval = (difference - 0.5, difference + 0.5) if p == p else (math.nan, math.nan)
    reason = None if p == p else "no segment was scored"
    pair = ComparedPair(
        "new",
        "base",
        Estimate(difference, 100, *interval, reason=reason),
        p,
        "randomisation",
        p,
        wins=0 if difference == 0 else 5,
        ties=ties,
        losses=0,
        power=Power(1.5),
        outcome=Outcome.of(
            difference if higher_is_better else -difference, p, 0.05, is_tied=difference == 0 and ties > 0
        ),
        explanation=_explained(name, aggregation, difference, noticed),
    )
    scores = {"new": Estimate(30 + difference, 100), "base": Estimate(30.0, 100)}
    return ComparedMetric(name, aggregation, higher_is_better, f"{name}|v", scores, (pair,))


def _explained(name, aggregation, difference, noticed):
    """An answer of a calibration; a probability alone is one of a calibration whose data is not known."""
    if noticed is None or isinstance(noticed, Explanation):
        return noticed
    return Explanation(
        metric=name,
        aggregation=aggregation,
        difference=abs(difference),
        probability=noticed,
        agrees=Estimate(math.nan, 0),
        gap=(noticed.reason or "").removeprefix("no calibration: "),
        source="own",
        orientation="by-metric",
    )


def comparison(*metrics, contrasts=(), **settings):
    inputs = TestSetRecord(100, ("new", "base"), ("refA",), {}, "en-de")
    correction = {"correction": "holm" if any(len(metric.pairs) > 1 for metric in metrics) else "none"}
    return SystemComparison(SETTINGS | correction | settings, "base", metrics, inputs, contrasts=contrasts)
