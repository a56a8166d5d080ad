"""The public verbs."""

from __future__ import annotations

from assay.study.grouping import GROUPINGS
from assay.study.loading import load
from assay.study.scoring import AGGREGATIONS, DEFAULT_METRICS, score

__all__ = ["AGGREGATIONS", "DEFAULT_METRICS", "GROUPINGS", "load", "score"]
