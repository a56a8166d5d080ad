"""How agreement with people depends on the systems: the best N of them, windows of neighbours, or all but one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.agreement.chance import MIN_SYSTEMS, random_bound
from assay.charts import Chart, chart, find, select_names
from assay.charts.controls import Control, choices, clickable, with_control
from assay.charts.layout import NARROW, AltairChart, Layer, Properties, Rows, compose, data
from assay.charts.theme import colour
from assay.labels.metrics import distinct_labels
from assay.labels.statistics import agreement_label, statistic_label
from assay.results import Curve, Result, RobustnessCurves
from assay.results.metric_differences import usual
from assay.types.note import plural

__all__ = ["Robustness"]

_TITLES = {
    "top": ("Agreement with people over the best systems", "number of best systems kept"),
    "windows": ("Agreement with people over neighbours in the ranking", "human ranks of the systems"),
    "without-one": ("Agreement with people without each of the systems", "system left out"),
}
_ROLES = ("green", "gold", "muted", "outlier", "ink")
_DASHES = ([1, 0], [1, 0], [5, 3], [2, 2], [1, 0], [5, 3], [5, 3], [1, 0], [1, 0], [5, 3])
_STYLES = tuple(zip(_ROLES * 2, _DASHES, strict=True))
_PLACE = "indexof(named.metric || [], datum.metric)"
"""The place of a metric among those that are named, or -1."""
_COLOUR = alt.Color(
    "style:O",
    scale=alt.Scale(domain=list(range(len(_STYLES))), range=[colour(role) for role, _ in _STYLES]),
    legend=None,
)
_DASH = alt.StrokeDash(
    "style:O", scale=alt.Scale(domain=list(range(len(_STYLES))), range=[dash for _, dash in _STYLES]), legend=None
)
_HEIGHT, _LINE = 260, 15  # px


@chart("robustness")
@dataclass(frozen=True, slots=True)
class Robustness(Chart[RobustnessCurves]):
    """A line for each metric; some are named. For Pearson, the band is where 95 % of random metrics fall."""

    metrics: str = ""
    """The metrics to name, with + between them. Without: the best and the worst over all systems, and the best BLEU.

    Not the best over the last subset: with few systems, some metric always is high by chance."""

    def select(self, results: Sequence[Result]) -> RobustnessCurves | None:
        found = find(RobustnessCurves, results)
        return found if found is not None and found.curves and found.labels else None

    def draw(self, shown: RobustnessCurves, width: int) -> AltairChart:
        labels = {label: _short(label, shown.kind) for label in shown.labels}
        named = self._named(shown)
        curves = _comparable(shown, named)
        lowest = min((point.value for curve in curves for point in curve if not math.isnan(point.value)), default=0.0)
        domain = (min(-0.1, lowest, -_widest_band(shown)), 1.0) if lowest < 0 else (0.0, 1.0)
        x: Properties = {
            "sort": None,
            "scale": alt.Scale(type="point", domain=list(labels.values()), padding=0.1),
            "axis": _axis(shown.kind),
            "title": f"{_TITLES[shown.kind][1]}, by {shown.settings.get('gold', shown.pair.gold)}",
        }
        y: Properties = {
            "title": agreement_label(shown.settings.get("statistic", "")),
            "scale": alt.Scale(domain=list(domain), nice=False),
            "axis": alt.Axis(tickCount=5),
        }
        metrics = distinct_labels(curve.metric for curve in shown)
        chosen = [metrics[curve.metric] for curve in named]
        control = choices("named", "Choose metrics", [metrics[curve.metric] for curve in curves], chosen)
        base = alt.Chart(data(_rows(curves, labels, metrics))).encode(x=alt.X("subset:N", **x), y=alt.Y("value:Q", **y))
        zero = alt.Chart(data([{"value": 0}])).mark_rule(color=colour("faint")).encode(y=alt.Y("value:Q", **y))
        beside = _end_labels(base, domain, width) if width >= NARROW else _legend(base, width)
        composed = compose(
            *_band(shown, labels, x, y, domain),
            zero,
            *_lines(base, control),
            *beside,
            title=_TITLES[shown.kind][0],
            subtitle=_subtitle(shown, len(curves), has_others=len(named) < len(curves)),
            width=width,
            height=_HEIGHT,
        )
        return with_control(composed, control)

    def _named(self, shown: RobustnessCurves) -> list[Curve]:
        by_name = {curve.metric: curve for curve in shown}
        if self.metrics:
            return [by_name[name] for name in select_names(self.metrics, by_name)]
        defined = [
            curve
            for curve in _comparable(shown)
            if not math.isnan(curve.all_systems.value) and not math.isnan(_last(curve))
        ]
        ranked = sorted(defined, key=lambda curve: -curve.all_systems.value)
        bleu = [curve for curve in ranked if curve.metric.lower().split("-")[0].endswith("bleu")][:1]
        return list({curve.metric: curve for curve in (*ranked[:1], *bleu, *ranked[-1:])}.values())


def _comparable(shown: RobustnessCurves, named: Sequence[Curve] = ()) -> list[Curve]:
    """The metrics with scores of as many systems as most, and those that are asked for.

    Of the best ten systems, another metric may have scored only seven.
    """
    systems = usual(curve.all_systems.n for curve in shown)
    return [curve for curve in shown if curve.all_systems.n == systems or curve in named]


def _last(curve: Curve) -> float:
    """The value over the last subset."""
    return curve.points[-1].value if curve.points else math.nan


def _short(label: str, kind: str) -> str:
    """Such as `14` for `top 14`."""
    return label.split(" ", 1)[-1] if kind in ("top", "windows") else label


def _axis(kind: str) -> alt.Axis:
    if kind == "without-one":
        return alt.Axis(labelAngle=-40, labelColor=colour("muted"), labelLimit=120)
    return alt.Axis(labelAngle=0, labelColor=colour("muted"), labelOverlap="parity", labelSeparation=8)


def _rows(curves: Sequence[Curve], labels: dict[str, str], metrics: Mapping[str, str]) -> Rows:
    order = {label: place for place, label in enumerate(labels)}
    return [
        {
            "metric": metrics[curve.metric],
            "subset": labels[point.label],
            "order": order[point.label],
            "value": point.value,
        }
        for curve in curves
        for point in curve
        if point.label in labels and not math.isnan(point.value)
    ]


def _band(
    shown: RobustnessCurves, labels: dict[str, str], x: dict[str, Any], y: dict[str, Any], domain: tuple[float, float]
) -> list[Layer]:
    """Where correlations of random numbers fall."""
    if not _has_band(shown):
        return []
    rows = []
    for point in shown.widest:
        r = random_bound(len(point.systems))
        rows.append({"subset": labels[point.label], "value": r, "low": max(-r, domain[0])})
    area = alt.Chart(data(rows)).mark_area(color=colour("band"))
    return [area.encode(x=alt.X("subset:N", **x), y=alt.Y("value:Q", **y), y2="low:Q")]


def _has_band(shown: RobustnessCurves) -> bool:
    sizes = [len(point.systems) for point in shown.widest]
    return shown.settings.get("statistic") == "pearson" and shown.kind != "without-one" and min(sizes) >= MIN_SYSTEMS


def _widest_band(shown: RobustnessCurves) -> float:
    """How far the band reaches."""
    return random_bound(min(len(point.systems) for point in shown.widest)) if _has_band(shown) else 0.0


def _lines(base: alt.Chart, control: Control) -> list[Layer]:
    """Thin lines of all metrics, the named ones above them in colours, and the one that a reader points at."""
    series = base.encode(detail="metric:N")
    pointed = alt.selection_point("pointed", fields=["metric"], on="pointerover", clear="pointerout", empty=False)
    targets = series.mark_line(strokeWidth=7, opacity=0).add_params(pointed)  # a thin line is hard to hit
    stands_out = series.transform_filter({"param": "pointed", "empty": False})
    named = _with_place(series)
    return [
        series.transform_filter(f"{_PLACE} < 0").mark_line(color=colour("faint"), opacity=0.3, strokeWidth=1),
        named.mark_line(strokeWidth=2).encode(color=_COLOUR, strokeDash=_DASH),
        named.mark_circle(size=22).encode(color=_COLOUR),
        stands_out.mark_line(color=colour("ink"), strokeWidth=2.5),
        stands_out.transform_joinaggregate(highest="max(value)")
        .transform_filter("datum.value == datum.highest")
        .mark_text(color=colour("ink"), fontWeight="bold", align="left", dx=4, dy=-9)
        .encode(text="metric:N"),
        clickable(targets, control, "metric"),
    ]


def _with_place(base: alt.Chart) -> alt.Chart:
    """The rows of the named metrics, with the place of each among them, which chooses its colour."""
    placed: alt.Chart = base.transform_calculate(place=_PLACE).transform_filter("datum.place >= 0")
    return placed.transform_calculate(style=f"datum.place % {len(_STYLES)}")


def _ends(base: alt.Chart) -> alt.Chart:
    """The last point of each named metric."""
    ends: alt.Chart = _with_place(base).transform_window(
        from_end="row_number()", groupby=["metric"], sort=[alt.SortField("order", order="descending")]
    )
    return ends.transform_filter("datum.from_end == 1")


def _end_labels(base: alt.Chart, domain: tuple[float, float], width: int) -> list[Layer]:
    """The names beside the ends of their lines, moved apart where they would overlap, and not below the plot.

    With lines of height h, y_i = max(p_i, y_{i-1} + h) = h i + max_{j <= i} (p_j - h j).
    """
    scale = _HEIGHT / (domain[1] - domain[0])
    moved = (
        _ends(base)
        .transform_calculate(above=f"({domain[1]} - datum.value) * {scale}")
        .transform_window(line="row_number()", sort=[alt.SortField("above")])
        .transform_calculate(shift=f"datum.above - {_LINE} * datum.line")
        .transform_window(highest="max(shift)", sort=[alt.SortField("above")], frame=[None, 0])
        .transform_calculate(y=f"datum.highest + {_LINE} * datum.line")
        .transform_joinaggregate(lowest="max(y)")
        .transform_calculate(y=f"datum.y - max(0, datum.lowest - {_HEIGHT})")
    )
    return [_names(moved, x=alt.value("width"), dx=8, limit=width / 3)]


def _legend(base: alt.Chart, width: int) -> list[Layer]:
    """The names above the plot, where there is no room beside the lines."""
    rows = _ends(base).transform_window(line="row_number()", sort=[alt.SortField("place", order="descending")])
    placed = rows.transform_calculate(y=f"2 - {_LINE} * datum.line")
    return [
        _names(placed, x=alt.value(0), dx=14, limit=width - 80),
        placed.mark_point(filled=True, shape="square", size=60).encode(
            x=alt.value(6), y=alt.Y("y:Q", scale=None, axis=None), color=_COLOUR
        ),
    ]


def _names(rows: alt.Chart, x: Any, dx: float, limit: float) -> alt.Chart:
    names: alt.Chart = rows.mark_text(align="left", dx=dx, fontWeight="bold", limit=limit)
    return names.encode(x=x, y=alt.Y("y:Q", scale=None, axis=None), text="metric:N", color=_COLOUR)


def _subtitle(shown: RobustnessCurves, metrics: int, *, has_others: bool) -> str:
    statistic = statistic_label(shown.settings.get("statistic", ""))
    counts = f"{plural(len(shown.order), 'system')}, {plural(metrics, 'metric')}"
    text = f"{shown.pair.lp}: {statistic} with {shown.pair.gold}, {counts}."
    if metrics < len(shown):
        text += f" Left out: {plural(len(shown) - metrics, 'metric')} without scores of all of these systems."
    if has_others:
        text += " Named are the best, the worst and a BLEU, over all systems, or those chosen; thin lines: the others."
    if _has_band(shown):
        text += " Grey band: where 95 % of random metrics fall; a value inside of it says nothing."
    return text
