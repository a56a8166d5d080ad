"""How agreement with people depends on the systems: the best N of them, windows of neighbours, or all but one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.layout import NARROW, AltairChart, Layer, Properties, Rows, compose, data
from assay.charts.legend import legend
from assay.charts.theme import colour
from assay.results import Curve, Result, RobustnessCurves
from assay.types.note import plural

__all__ = ["Robustness"]

_TITLES = {
    "top": ("Can metrics tell the best systems apart?", "number of best systems kept"),
    "windows": ("Can metrics tell neighbours in the ranking apart?", "human ranks of the systems"),
    "without-one": ("Does a single system carry the agreement?", "system left out"),
}
_STYLES = (("green", [1, 0]), ("gold", [1, 0]), ("muted", [5, 3]), ("outlier", [2, 2]), ("ink", [1, 0]))
_HEIGHT, _LINE = 260, 15  # px
_QUANTILE = 0.975
_MIN_BAND = 4  # systems


@chart("robustness")
@dataclass(frozen=True, slots=True)
class Robustness(Chart[RobustnessCurves]):
    """A line for each metric; some are named. For Pearson, the band is where 95 % of random metrics fall."""

    metrics: str = ""
    """The metrics to name, with + between them. Without: the best of all systems and of the last subset, BLEU, and the
    worst."""

    def select(self, results: Sequence[Result]) -> RobustnessCurves | None:
        found = find(RobustnessCurves, results)
        return found if found is not None and found.curves and found.labels else None

    def draw(self, shown: RobustnessCurves, width: int) -> AltairChart:
        labels = {label: _short(label, shown.kind) for label in shown.labels}
        named = self._named(shown)
        lowest = min((point.value for curve in shown for point in curve if not math.isnan(point.value)), default=0.0)
        domain = (min(-0.1, lowest), 1.0) if lowest < 0 else (0.0, 1.0)
        x: Properties = {
            "sort": None,
            "scale": alt.Scale(type="point", domain=list(labels.values()), padding=0.1),
            "axis": _axis(shown.kind),
            "title": f"{_TITLES[shown.kind][1]}, by {shown.settings.get('gold', shown.pair.gold)}",
        }
        y: Properties = {
            "title": None,
            "scale": alt.Scale(domain=list(domain), nice=False),
            "axis": alt.Axis(tickCount=5),
        }
        others = [curve for curve in shown if curve not in named]
        base = alt.Chart(data(_rows(others, labels))).encode(x=alt.X("subset:N", **x), y=alt.Y("value:Q", **y))
        layers: list[Layer] = [*_band(shown, labels, x, y, domain)]
        layers.append(alt.Chart(data([{"value": 0}])).mark_rule(color=colour("faint")).encode(y=alt.Y("value:Q", **y)))
        layers.append(base.mark_line(color=colour("faint"), opacity=0.3, strokeWidth=1).encode(detail="metric:N"))
        for curve, (role, dash) in zip(named, _STYLES, strict=False):
            line = alt.Chart(data(_rows([curve], labels))).encode(x=alt.X("subset:N", **x), y=alt.Y("value:Q", **y))
            layers.append(line.mark_line(color=colour(role), strokeDash=dash, strokeWidth=2))
            layers.append(line.mark_circle(color=colour(role), size=22))
        if width >= NARROW:
            layers += _end_labels(named, domain)
        else:
            layers.append(legend((curve.metric, role) for curve, (role, _) in zip(named, _STYLES, strict=False)))
        return compose(
            *layers,
            title=_TITLES[shown.kind][0],
            subtitle=_subtitle(shown, len(others)),
            width=width,
            height=_HEIGHT,
        )

    def _named(self, shown: RobustnessCurves) -> list[Curve]:
        by_name = {curve.metric: curve for curve in shown}
        if self.metrics:
            return [by_name[name] for name in self.metrics.split("+") if name in by_name]
        defined = [curve for curve in shown if not math.isnan(curve.all_systems.value) and not math.isnan(_last(curve))]
        ranked = sorted(defined, key=lambda curve: -curve.all_systems.value)
        bleu = [curve for curve in ranked if curve.metric.lower().split("-")[0] == "bleu"][:1]
        best_last = sorted(defined, key=lambda curve: -_last(curve))[:1]
        return list({curve.metric: curve for curve in (*ranked[:1], *best_last, *ranked[-1:], *bleu)}.values())


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


def _rows(curves: Sequence[Curve], labels: dict[str, str]) -> Rows:
    return [
        {"metric": curve.metric, "subset": labels[point.label], "value": point.value}
        for curve in curves
        for point in curve
        if point.label in labels and not math.isnan(point.value)
    ]


def _band(
    shown: RobustnessCurves, labels: dict[str, str], x: dict[str, Any], y: dict[str, Any], domain: tuple[float, float]
) -> list[Layer]:
    """Where correlations of random numbers fall: r = t / sqrt(n - 2 + t²), with t of Student's distribution."""
    if not _has_band(shown):
        return []
    from scipy.special import stdtrit

    rows = []
    for point in max(shown.curves, key=len):
        n = len(point.systems)
        t = float(stdtrit(n - 2, _QUANTILE))
        r = t / math.sqrt(n - 2 + t * t)
        rows.append({"subset": labels[point.label], "value": min(r, domain[1]), "low": max(-r, domain[0])})
    area = alt.Chart(data(rows)).mark_area(color=colour("band"))
    return [area.encode(x=alt.X("subset:N", **x), y=alt.Y("value:Q", **y), y2="low:Q")]


def _has_band(shown: RobustnessCurves) -> bool:
    sizes = [len(point.systems) for curve in shown for point in curve]
    return shown.settings.get("statistic") == "pearson" and shown.kind != "without-one" and min(sizes) >= _MIN_BAND


def _end_labels(named: Sequence[Curve], domain: tuple[float, float]) -> list[Layer]:
    """The names beside the ends of their lines, moved apart where they would overlap."""
    scale = _HEIGHT / (domain[1] - domain[0])
    ends = sorted(
        ((domain[1] - _last(curve)) * scale, curve.metric, role)
        for curve, (role, _) in zip(named, _STYLES, strict=False)
    )
    places: list[float] = []
    for place, _, _ in ends:
        places.append(max(place, places[-1] + _LINE) if places else place)
    overflow = max(0.0, places[-1] - _HEIGHT) if places else 0.0
    return [
        alt.Chart(data([{"metric": metric}]))
        .mark_text(align="left", dx=8, color=colour(role), fontWeight="bold")
        .encode(x=alt.value("width"), y=alt.value(place - overflow), text="metric:N")
        for place, (_, metric, role) in zip(places, ends, strict=True)
    ]


def _subtitle(shown: RobustnessCurves, others: int) -> str:
    statistic = shown.settings.get("statistic", "")
    text = f"{shown.pair.lp}: {statistic} with {shown.pair.gold}, {plural(len(shown.order), 'system')}."
    if others:
        text += f" Thin lines: {plural(others, 'other metric')}."
    if _has_band(shown):
        text += " Grey band: where 95% of random metrics fall."
    return text
