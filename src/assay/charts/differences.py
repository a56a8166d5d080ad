"""How far two systems are apart under each metric and aggregation, and by human judgement."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import altair as alt

from assay.charts import Chart, chart
from assay.charts.compared_pair import PairOfSystems, leader, select_pair
from assay.charts.human_ranking import rankings_of
from assay.charts.intervals import COLUMN_GAP, ROW, dots, estimate_fields, label_width, reference_line, right_column
from assay.charts.layout import (
    MARGIN,
    NARROW,
    AltairChart,
    Layer,
    Properties,
    Rows,
    aligned_domains,
    data,
    panel,
    signed_axis,
    stacked,
    text_width,
)
from assay.charts.theme import colour
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.labels.metrics import metric_label, score_label
from assay.labels.numbers import difference_text, interval_text, p_words, percent, true_minus
from assay.labels.tests import correction_words
from assay.results import ComparedMetric, ComparedPair, Ranking, Result
from assay.results.outcome import is_significant
from assay.types.note import plural
from assay.words.compared_pair import pair_legend

__all__ = ["Differences"]

_Shown = tuple[PairOfSystems, Ranking | None]


@chart("differences")
@dataclass(frozen=True, slots=True)
class Differences(Chart[_Shown]):
    """The difference of two systems with its interval. Right of zero, the first one is better.

    Metrics of different scales and human scores have axes of their own.
    """

    first: str = ""
    second: str = ""
    """Without names: the first pair that was compared."""
    lp: str = ""
    """The language pair of the human ranking, for a comparison that names none."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        pair = select_pair(results, self.first, self.second)
        if pair is None:
            return None
        return pair, self._ranking(results, pair)

    def _ranking(self, results: Sequence[Result], pair: PairOfSystems) -> Ranking | None:
        """What people say about the two systems. Systems of another language pair may have the same names."""
        given = [ranking.lp for ranking in rankings_of(results)]
        if self.lp and self.lp not in given:
            raise UnknownNameError(f"there is no human ranking of '{self.lp}'", hint=nearest(self.lp, given))
        lp = pair.comparison.inputs.lp or self.lp
        judged = [
            ranking
            for ranking in rankings_of(results)
            if lp in ("", ranking.lp) and {pair.first, pair.second} <= {ranked.system for ranked in ranking}
        ]
        known = list(dict.fromkeys(ranking.lp for ranking in judged))
        if len(known) > 1:
            raise ConfigError(
                f"people judged {pair.first} and {pair.second} in several language pairs; the comparison names none",
                hint=f"choose one as the option lp: {', '.join(known)}",
            )
        return judged[0] if judged else None

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        pair, ranking = shown
        groups = list(_by_scale(pair))
        if ranking is not None:
            groups.append(([_human_row(pair, ranking)], [_human_title(ranking)]))
        every = [row for rows, _ in groups for row in rows]
        texts = ("text", "interval") if width >= NARROW else ("text",)
        left = label_width(row["name"] for row in every)
        right = sum(text_width(row[field] for row in every) + COLUMN_GAP for field in texts)
        plot = width - left - right - 2 * MARGIN
        ends = ("value", "low", "high")
        domains = aligned_domains([[row[end] for row in rows for end in ends] for rows, _ in groups])
        panels = []
        for place, (rows, title) in enumerate(groups):
            x: Properties = {
                "title": title,
                "scale": alt.Scale(domain=domains[place], nice=False),
                "axis": signed_axis(plot),
            }
            layers: list[Layer] = [reference_line(x), *dots(rows, x, extent=left), *_columns(rows, every, texts)]
            layers += _sides(pair, plot, domains[0], left, right) if place == 0 else []
            panels.append(panel(*layers, width=plot, height=ROW * len(rows)))
        return stacked(
            *panels,
            title=f"How far apart are {pair.first} and {pair.second}?",
            subtitle=_subtitle(pair),
            width=width,
        )


def _by_scale(pair: PairOfSystems) -> Iterator[tuple[Rows, list[str]]]:
    """The rows of metrics with scores of a similar size, and the title of their axis."""
    scales: dict[int, list[tuple[ComparedMetric, ComparedPair]]] = {}
    for metric, difference in pair.differences:
        scales.setdefault(metric.decimals, []).append((metric, difference))
    for decimals, members in scales.items():
        negated = list(
            dict.fromkeys(metric_label(metric.metric) for metric, _ in members if not metric.higher_is_better)
        )
        title = ["difference in points of the metric"]
        if negated:
            title.append(f"{', '.join(negated)} negated: lower is better")
        yield [_row(pair, metric, difference, decimals) for metric, difference in members], title


def _row(pair: PairOfSystems, metric: ComparedMetric, difference: ComparedPair, decimals: int) -> dict[str, object]:
    found = metric.in_favour(difference)
    return {
        "name": score_label(metric.metric, metric.aggregation),
        **estimate_fields(found),
        "role": leader(difference) or "muted",
        "hollow": metric.aggregation != "corpus",
        "text": true_minus(difference_text(found.value, decimals)),
        "interval": true_minus(interval_text(found.low, found.high, decimals)),
    }


def _human_row(pair: PairOfSystems, ranking: Ranking) -> dict[str, object]:
    """The human difference. The ranking has a test of it and no interval."""
    first, second = (ranking[name].score.value for name in (pair.first, pair.second))
    value = first - second if ranking.higher_is_better else second - first
    better, worse = (pair.first, pair.second) if value > 0 else (pair.second, pair.first)
    p = ranking.p_value(better, worse)
    is_shown = is_significant(p, ranking.alpha)
    return {
        "name": "people",
        "value": value,
        "low": math.nan,
        "high": math.nan,
        "role": "muted" if not is_shown else "first" if value > 0 else "second",
        "hollow": False,
        "text": true_minus(difference_text(value)),
        "interval": "" if math.isnan(p) else p_words(p, alpha=ranking.alpha, is_bound=ranking.is_bound(better, worse)),
    }


def _human_title(ranking: Ranking) -> str:
    where = f" in {ranking.lp}" if ranking.lp else ""
    return f"{ranking.name}{where}, difference of the system scores"


def _columns(rows: Rows, every: Rows, fields: Sequence[str]) -> Iterator[Layer]:
    """The numbers beside the plot, in columns as wide as in the other panels."""
    offset = float(COLUMN_GAP)
    for field in fields:
        width = text_width(str(row[field]) for row in every)
        role = "ink" if field == "text" else "muted"
        yield right_column(rows, field, offset, width=width, role=role)[0]
        offset += width + COLUMN_GAP


def _sides(pair: PairOfSystems, plot: float, domain: tuple[float, float], left: float, right: float) -> list[Layer]:
    """Which side favours which system, above the plot and no wider than the chart."""
    zero = plot * -domain[0] / (domain[1] - domain[0])
    first, second = (
        alt.Chart(data([{"value": 0, "text": text}])).encode(x="value:Q", y=alt.value(-12), text="text:N")
        for text in (f"favours {pair.first} →", f"← favours {pair.second}")
    )
    return [
        first.mark_text(align="left", dx=8, color=colour("first"), fontWeight="bold", limit=plot - zero + right - 8),
        second.mark_text(align="right", dx=-8, color=colour("second"), fontWeight="bold", limit=zero + left - 8),
    ]


def _subtitle(pair: PairOfSystems) -> str:
    settings = pair.comparison.settings
    n = max(difference.n for _, difference in pair.differences)
    parts = [plural(n, settings["unit"])]
    if any(not math.isnan(difference.difference.low) for _, difference in pair.differences):
        parts.append(f"{percent(float(settings.get('confidence', '0.95')))} intervals")
    p = f"p < {settings['alpha']}, {correction_words(pair.comparison.correction)}"
    return f"{', '.join(parts)}. Coloured: {p}. {pair_legend(pair.comparison)}"
