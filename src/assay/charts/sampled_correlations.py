"""How scores correlate on samples of the segments, by the size of the samples (Cavalin et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from assay.charts import Chart, chart, find
from assay.charts.boxes import grouped_boxes, grouped_height, quantiles
from assay.charts.layout import AltairChart, Rows, compose, value_axis
from assay.charts.score_correlations import select_scores
from assay.errors import ConfigError, option_name
from assay.labels.metrics import metric_label
from assay.labels.statistics import statistic_label
from assay.results import Result, ScoreCorrelation, ScoreCorrelations
from assay.types.note import plural

__all__ = ["SampledCorrelations"]

_ROLES = ("ink", "green", "gold", "muted", "outlier")
_Shown = tuple[ScoreCorrelations, list[ScoreCorrelation]]


@chart("sampled-correlations")
@dataclass(frozen=True, slots=True)
class SampledCorrelations(Chart[_Shown]):
    """Boxes of the correlation over the samples, for each size and every two scores."""

    scores: str = ""
    """The scores to show, with + between them. Without: the first three."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        found = find(ScoreCorrelations, results)
        if found is None:
            return None
        sampled = [each for each in found if any(sampled.n for sampled in each.samples)]
        if not sampled:
            raise ConfigError(
                "there are no samples of segments", hint=f"e.g. {option_name('sample_sizes', '1,10,100')}"
            )
        names = select_scores(found, self.scores)
        names = names if self.scores else names[:3]
        pairs = [each for each in sampled if {each.first, each.second} <= set(names)]
        return (found, pairs) if pairs else None

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        correlations, pairs = shown
        statistic = correlations.settings.get("statistic", "pearson")
        labels = [" and ".join(_names(each)) for each in pairs]
        sizes = [plural(sampled.sample_size, "segment") for sampled in pairs[0].samples]
        x = value_axis(f"{statistic_label(statistic)} correlation between the two scores", width, nice=False, padding=6)
        roles = dict(zip(labels, cycle(_ROLES), strict=False))
        samples = max(len(sampled.values) for each in pairs for sampled in each.samples)
        systems = sorted({sampled.n for each in pairs for sampled in each.samples if sampled.n})
        smallest = f"{systems[0]:,} to " if len(systems) > 1 else ""
        whole = " (whole): not sampled." if any(each.unsampled for each in pairs) else ""
        every = sum(any(sampled.n for sampled in each.samples) for each in correlations)
        count = f"{len(pairs)} of {plural(every, 'pair')} of scores, "
        return compose(
            *grouped_boxes(_rows(pairs, labels), sizes, roles, x),
            title="How many segments does it take for scores to agree?",
            subtitle=(
                f"{count}{plural(samples, 'sample')} of each size, {smallest}{plural(systems[-1], 'system')}. Box: the "
                f"middle half, dot: the median, line: 95 % of the samples.{whole}"
            ),
            width=width,
            height=grouped_height(sizes, roles),
        )


def _names(each: ScoreCorrelation) -> list[str]:
    return [metric_label(name) + (" (whole)" if name in each.unsampled else "") for name in (each.first, each.second)]


def _rows(pairs: Sequence[ScoreCorrelation], labels: Sequence[str]) -> Rows:
    return [
        {
            "name": plural(sampled.sample_size, "segment"),
            "group": label,
            **quantiles(sampled.values),
        }
        for each, label in zip(pairs, labels, strict=True)
        for sampled in each.samples
        if not np.isnan(sampled.values).all()
    ]
