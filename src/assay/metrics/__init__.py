"""Metrics by name, one file each. `metric.create("bleu:tok=intl")` creates one."""

from __future__ import annotations

from assay.contracts import Metric
from assay.registry import Registry

__all__ = ["metric"]

metric: Registry[Metric] = Registry("metric", __name__, entry_point_group="assay.metrics", ignores_case=True)
