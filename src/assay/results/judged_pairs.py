"""Pairs of systems that people judged, with the scores of metrics: what a calibration was fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.types import FloatArray, IntArray
from assay.types.record import Record

__all__ = ["SAMPLES", "JudgedPairs"]

SAMPLES = 20
"""Samples of judged segments of each size."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs(Record):
    """The systems of one language pair, in pairs that people judged on enough common segments."""

    campaign: str
    lp: str
    gold: str
    """The name of the human scores."""
    protocol: str
    systems: tuple[str, ...]
    judged: IntArray
    """The number of judged segments of each system."""
    pairs: IntArray
    """(pair, 2): the places of both systems."""
    segments: IntArray
    """The number of judged segments that both have."""
    preference: IntArray
    """Whom people prefer, for each pair: 2 the first, 1 the first but not significantly, 0 neither, -1, -2."""
    scores: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    """By metric and aggregation: how much better each system scores than the worst one; NaN without a score."""
    sampled: Mapping[int, FloatArray] = field(default_factory=dict)
    """(pair, 2): in how many of `SAMPLES` samples of so many of the segments people significantly prefer the first and
    the second system. NaN: the pair has fewer segments."""
