"""The public verbs."""

from __future__ import annotations

from assay.study.differing import diff
from assay.study.grouping import GROUPINGS
from assay.study.loading import load
from assay.study.matching import match
from assay.study.scoring import AGGREGATIONS, DEFAULT_METRICS, Progress, default_threads, score

__all__ = [
    "AGGREGATIONS",
    "DEFAULT_METRICS",
    "GROUPINGS",
    "Progress",
    "default_threads",
    "diff",
    "load",
    "match",
    "score",
]
