"""Systems ranked by people, with intervals and clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.charts import Chart, chart
from assay.charts.intervals import COLUMN_GAP, ROW, cluster_lines, dots, estimate_fields, right_column
from assay.charts.layout import NARROW, AltairChart, Layer, Rows, compose, value_axis
from assay.labels.numbers import number, percent, true_minus
from assay.results import PairRankings, Ranking, Result
from assay.types.note import plural

__all__ = ["HumanRanking", "ranking_of", "rankings_of"]


@chart("human-ranking")
@dataclass(frozen=True, slots=True)
class HumanRanking(Chart[Ranking]):
    """A dot and an interval for each system, best first; a dotted line parts clusters."""

    lp: str = ""
    """The language pair; the first one if it is left out."""

    def select(self, results: Sequence[Result]) -> Ranking | None:
        return ranking_of(results, self.lp)

    def draw(self, shown: Ranking, width: int) -> AltairChart:
        rows = _rows(shown)
        starts = [second.system for first, second in pairwise(shown) if first.cluster != second.cluster]
        direction = "" if shown.higher_is_better else ", lower is better"
        x = value_axis(f"{shown.name}, score of a system{direction}", width)
        layers: list[Layer] = [cluster_lines(rows, starts), *dots(rows, x)]
        if width >= NARROW:
            layers.append(right_column(rows, "text", COLUMN_GAP)[0])
        return compose(
            *layers,
            title="Human scores of the systems",
            subtitle=_subtitle(shown),
            width=width,
            height=ROW * len(rows),
        )


def ranking_of(results: Sequence[Result], lp: str = "") -> Ranking | None:
    """The ranking of a language pair, or the first of all."""
    return next((ranking for ranking in rankings_of(results) if lp in ("", ranking.lp)), None)


def rankings_of(results: Sequence[Result]) -> Iterator[Ranking]:
    """The rankings of all language pairs."""
    for result in results:
        if isinstance(result, Ranking):
            yield result
        elif isinstance(result, PairRankings):
            yield from result.rankings.values()


def _rows(ranking: Ranking) -> Rows:
    return [
        {
            "name": ranked.system,
            **estimate_fields(ranked.score),
            "role": "ink",
            "hollow": False,
            "text": true_minus(number(ranked.score.value)),
        }
        for ranked in ranking
    ]


def _subtitle(ranking: Ranking) -> str:
    parts = [ranking.lp] if ranking.lp else []
    parts.append(f"{plural(ranking.judgement_count, 'judgement')} of {plural(ranking.outputs, 'output')}")
    if any(not math.isnan(ranked.score.low) for ranked in ranking):
        parts.append(f"{percent(float(ranking.settings.get('confidence', '0.95')))} intervals")
    text = ", ".join(parts)
    if len({ranked.cluster for ranked in ranking}) > 1:
        level = "" if math.isnan(ranking.alpha) else f" (p < {ranking.alpha:g})"
        text += f". Dotted lines part clusters{level}"
    return f"{text}."
