"""Scores of systems by people and by metrics, as a scatter matrix with histograms (Cavalin et al. 2024)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.charts import Chart, chart
from assay.charts.evaluated import Evaluated, select_pair
from assay.charts.layout import AltairChart
from assay.charts.scatter_matrix import scatter_matrix
from assay.labels.metrics import distinct_labels
from assay.results import Result
from assay.types.note import plural

__all__ = ["ScoreMatrix"]

_Column = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Shown:
    evaluated: Evaluated
    human: str
    columns: dict[str, _Column]
    """The scores of systems, by name of the metric; those of people first."""


@chart("score-matrix")
@dataclass(frozen=True, slots=True)
class ScoreMatrix(Chart[_Shown]):
    """Below the diagonal, a dot for each system; on it, how the scores are distributed; above it, Pearson's r."""

    metrics: str = ""
    """The metrics to show, with + between them. Without: the best ones."""
    lp: str = ""
    """The language pair; the first one if it is left out."""
    limit: int = 4

    def select(self, results: Sequence[Result]) -> _Shown | None:
        evaluated = select_pair(results, lp=self.lp)
        return None if evaluated is None else self._columns(evaluated)

    def _columns(self, evaluated: Evaluated) -> _Shown | None:
        meta = evaluated.meta
        metrics = [meta[name] for name in self.metrics.split("+")] if self.metrics else meta.metrics
        labels = distinct_labels(metric.metric for metric in metrics)
        columns: dict[str, _Column] = {}
        people: dict[str, float] = {}
        for metric in metrics:
            agreement = evaluated.agreement(metric, "kept") or evaluated.agreement(metric, "dropped")
            if agreement is None or agreement.scores is None or (len(columns) == self.limit and not self.metrics):
                continue
            by_metric, by_people = agreement.scores.T.tolist()
            columns[labels[metric.metric]] = dict(zip(agreement.systems, by_metric, strict=True))
            people |= zip(agreement.systems, by_people, strict=True)
        human = evaluated.pair.gold if evaluated.pair is not None else "people"
        return _Shown(evaluated, human, {human: people, **columns}) if columns else None

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        everywhere = set.intersection(*map(set, shown.columns.values()))
        return scatter_matrix(
            shown.columns,
            width=width,
            title="How do the scores of systems go together?",
            subtitle=(
                f"{shown.evaluated.where}; {len(shown.columns) - 1} of {plural(len(shown.evaluated.meta), 'metric')}; "
                f"{plural(len(everywhere), 'system')} with all scores."
            ),
        )
