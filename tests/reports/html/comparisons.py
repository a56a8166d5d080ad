"""Comparisons made up of their outcomes."""

from __future__ import annotations

import math

from assay.results import ComparedMetric, ComparedPair, Estimate, Power, SystemComparison
from assay.types import TestSetRecord

__all__ = ["compared", "comparison"]

SETTINGS = {"alpha": "0.05", "correction": "holm", "unit": "segment", "confidence": "0.95", "test": "randomisation"}


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
        noticed=noticed,
    )
    scores = {"new": Estimate(30 + difference, 100), "base": Estimate(30.0, 100)}
    return ComparedMetric(name, aggregation, higher_is_better, f"{name}|v", scores, (pair,))


def comparison(*metrics, contrasts=(), calibrated=(), **settings):
    inputs = TestSetRecord(100, ("new", "base"), ("refA",), {}, "en-de")
    return SystemComparison(
        SETTINGS | settings, "base", metrics, (), inputs, contrasts=contrasts, calibrated=calibrated
    )
