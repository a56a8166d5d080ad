"""Scores of the same systems under several metrics and aggregations against each other (Cavalin et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.charts import Chart, chart, find, select_names
from assay.charts.layout import AltairChart
from assay.charts.scatter_matrix import scatter_matrix
from assay.labels.metrics import metric_label
from assay.results import Result, ScoreCorrelations
from assay.types.note import plural

__all__ = ["ScoresAgainstEachOther", "select_scores"]


@chart("score-correlations")
@dataclass(frozen=True, slots=True)
class ScoresAgainstEachOther(Chart[tuple[ScoreCorrelations, list[str]]]):
    """A scatter matrix with histograms, over all systems of all test sets."""

    scores: str = ""
    """The scores to show, with + between them. Without: the first ones."""
    limit: int = 4

    def select(self, results: Sequence[Result]) -> tuple[ScoreCorrelations, list[str]] | None:
        found = find(ScoreCorrelations, results)
        names = [] if found is None else select_scores(found, self.scores)
        if found is None or len(names) < 2:
            return None
        return found, names if self.scores else names[: self.limit]

    def draw(self, shown: tuple[ScoreCorrelations, list[str]], width: int) -> AltairChart:
        correlations, names = shown
        systems = [f"{lp} {system}" for lp, system in correlations.systems]
        lps = len({lp for lp, _ in correlations.systems})
        return scatter_matrix(
            {metric_label(name): dict(zip(systems, correlations.scores[name].tolist(), strict=True)) for name in names},
            width=width,
            title="How do the scores of systems go together?",
            subtitle=(
                f"{len(names)} of {plural(len(correlations.scores), 'score')}, {plural(len(systems), 'system')} in "
                f"{plural(lps, 'language pair')}, pooled."
            ),
        )


def select_scores(correlations: ScoreCorrelations, wanted: str) -> list[str]:
    """The scores with these names, with + between them; all without a name."""
    if not wanted:
        return list(correlations.scores)
    return select_names(wanted, correlations.scores)
