"""How two systems differ by domain, from the segment scores of a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from assay.comparison.groups import group_differences
from assay.lazily import numpy as np
from assay.measurement.segment_groups import groups_by_label
from assay.results import GroupDifferences, SystemComparison
from assay.types import Scorable

__all__ = ["domain_differences"]


def domain_differences(comparison: SystemComparison, first: str, second: str) -> Iterator[GroupDifferences]:
    """For each metric, differences of the means of segment scores; nothing without several domains."""
    domains = comparison.inputs.domains
    if domains is None or len(set(domains)) < 2:
        return
    groups = groups_by_label("domain", domains)
    for metric in comparison.metrics:
        segments = comparison.segments.get(metric.metric, {})
        if metric.aggregation == "segment" and first in segments and second in segments:
            scores = Scorable.of_segments(np.stack([segments[first], segments[second]]), (first, second))
            higher = metric.higher_is_better
            yield group_differences(
                {"segment": scores}, first, second, groups, metric=metric.metric, higher_is_better=higher
            )
