"""From a difference of metric scores to the probability that people see it, too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import altair as alt
import numpy as np

from assay.charts import Chart, chart, find
from assay.charts.compared_pair import select_pair
from assay.charts.layout import MARGIN, AltairChart, Layer, Properties, Rows, compose, data, tick_count
from assay.charts.theme import colour
from assay.errors import ConfigError
from assay.labels.calibrations import outcome_words
from assay.labels.metrics import difference_label, metric_label
from assay.labels.numbers import percent, share_text, size_text
from assay.results import ALL, Calibration, CalibrationCurve, Estimate, Result
from assay.results.estimate import decimals_for
from assay.types.note import listed, plural

__all__ = ["CalibrationChart"]

_STEPS: Properties = {"interpolate": "step-after"}  # a curve keeps its value up to the next difference
_LEVELS = (0.5, 0.8, 0.95)
_ROUNDING = 1e-9
_HEIGHT = 220  # px
_SHOWN_SUPPORT = 10  # pairs
_FLAT = 1.5
_BESIDE, _AXIS = 8, 60  # px between the mark and its words, and about what the axis takes


@dataclass(frozen=True, slots=True)
class _Shown:
    curve: CalibrationCurve
    observed: Estimate | None
    """The difference to mark, with its interval."""
    role: str
    """The colour of the mark: that of the better system."""
    confidence: str
    orientation: str

    @property
    def probability(self) -> Estimate:
        """At the difference to mark."""
        return self.curve.probability(math.nan if self.observed is None else self.observed.value)

    @property
    def observed_text(self) -> str:
        """The size of the difference to mark, with one decimal more than the cut-offs."""
        return "" if self.observed is None else size_text(self.observed.value, _decimals(self.curve))


@chart("calibration")
@dataclass(frozen=True, slots=True)
class CalibrationChart(Chart[_Shown]):
    """The curve with its band. A comparison given with it, or `difference`, is marked."""

    metric: str = ""
    aggregation: str = ""
    outcome: str = "significant"
    protocol: str = ""
    group: str = ALL
    domain: str = ALL
    kinds: str = ALL
    """What is left out is that of the first curve."""
    difference: float = 0.0
    """The difference to mark; 0: that of the comparison, if there is one."""
    first: str = ""
    second: str = ""
    """The systems of the comparison; the first pair if they are left out."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        calibration = find(Calibration, results)
        if calibration is None or not calibration.curves:
            return None
        curve = next((each for each in calibration.curves if self._fits(each)), None)
        if curve is None:
            wanted = ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self)[:7])
            raise ConfigError(f"the calibration has no such curve: {wanted}")
        return _Shown(
            curve,
            *self._observed(results, curve),
            calibration.settings.get("confidence", "0.95"),
            calibration.orientation,
        )

    def _fits(self, curve: CalibrationCurve) -> bool:
        wanted = {
            (self.metric, curve.metric),
            (self.aggregation, curve.aggregation),
            (self.protocol, curve.population.protocol),
            (self.outcome, curve.outcome),
            (self.group, curve.population.group),
            (self.domain, curve.population.domain),
            (self.kinds, curve.population.kinds),
        }
        return all(asked in ("", found) for asked, found in wanted)

    def _observed(self, results: Sequence[Result], curve: CalibrationCurve) -> tuple[Estimate | None, str]:
        if self.difference:
            return Estimate(abs(self.difference), 0), "ink"
        pair = select_pair(results, self.first, self.second)
        for metric, compared in () if pair is None else pair.differences:
            if (metric.metric, metric.aggregation) == (curve.metric, curve.aggregation):
                found = compared.difference
                low, high = (found.low, found.high) if found.value >= 0 else (-found.high, -found.low)
                role = "first" if metric.is_better(compared) else "second"
                return Estimate(abs(found.value), found.n, max(low, 0.0), high), role
        return None, "ink"

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        curve = shown.curve
        end = _end(shown)
        x: Properties = {
            "title": difference_label(curve.metric, curve.aggregation),
            "scale": alt.Scale(domain=[0, end], nice=False),
            "axis": alt.Axis(tickCount=tick_count(width)),
        }
        y: Properties = {
            "title": "probability",
            "scale": alt.Scale(domain=[0, 1]),
            "axis": alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
        }
        points = _points(curve, end)
        base = alt.Chart(data(points)).encode(x=alt.X("difference:Q", **x))
        layers: list[Layer] = []
        if any(not math.isnan(float(row["low"])) for row in points):
            layers.append(
                base.mark_area(color=colour("muted"), opacity=0.16, **_STEPS).encode(y=alt.Y("low:Q", **y), y2="high:Q")
            )
        layers.append(
            base.mark_line(strokeWidth=2, color=colour("ink"), **_STEPS).encode(y=alt.Y("probability:Q", **y))
        )
        layers += _cutoffs(curve, end)
        if shown.observed is not None:
            layers += _mark(shown, shown.observed, _Room.of(shown.observed.value / end, width))
        return compose(
            *layers,
            title=f"Would people see a difference in {metric_label(curve.metric)}?",
            subtitle=_subtitle(shown),
            width=width,
            height=_HEIGHT,
        )


def _end(shown: _Shown) -> float:
    """Where the axis ends: few pairs of systems differ more, or the curve has been flat for long; beyond the mark."""
    curve = shown.curve
    enough = curve.x[curve.support >= _SHOWN_SUPPORT]
    top = float(curve.x[int(np.argmax(curve.supported >= curve.supported[-1] - _ROUNDING))])
    end = min(float(enough[-1]) if len(enough) else float(curve.x[-1]), _FLAT * top)
    marked = 0.0 if shown.observed is None else np.nanmax([shown.observed.value, shown.observed.high])
    return max(end, 1.1 * float(marked), top)


def _points(curve: CalibrationCurve, end: float) -> Rows:
    last = curve.probability(min(end, float(curve.x[-1])))
    lines = (curve.x, curve.supported, curve.low, curve.high)
    rows = [
        {"difference": x, "probability": y, "low": low, "high": high}
        for x, y, low, high in zip(*(line.tolist() for line in lines), strict=True)
        if x < end
    ]
    ending = {"difference": min(end, float(curve.x[-1])), "probability": last.value, "low": last.low, "high": last.high}
    return [*rows, ending]


def _cutoffs(curve: CalibrationCurve, end: float) -> list[Layer]:
    """Where the curve reaches 50, 80 and 95 %."""
    rows = []
    for level in _LEVELS:
        reached = np.flatnonzero(curve.supported >= level - _ROUNDING)
        if len(reached) and (x := float(curve.x[reached[0]])) <= end:
            text = f"{percent(level)} at {size_text(x, _decimals(curve))}"
            rows.append({"difference": x, "probability": level, "text": text})
    base = alt.Chart(data(rows)).encode(x="difference:Q", y="probability:Q")
    return [
        base.mark_point(filled=True, fill=colour("paper"), stroke=colour("ink")),
        base.mark_text(align="left", dx=8, dy=10, color=colour("muted")).encode(text="text:N"),
    ]


def _decimals(curve: CalibrationCurve) -> int:
    """Those of differences in texts, as in a comparison."""
    return decimals_for(curve.x.tolist())


@dataclass(frozen=True, slots=True)
class _Room:
    """px on either side of the mark."""

    left: float
    right: float

    @classmethod
    def of(cls, place: float, width: int) -> _Room:
        """At a place of a plot, from 0 to 1."""
        plot = width - 2 * MARGIN - _AXIS
        return cls(place * plot - _BESIDE, (1 - place) * plot - _BESIDE)


def _mark(shown: _Shown, observed: Estimate, room: _Room) -> list[Layer]:
    """The observed difference, its interval as a strip, and the probability there, in words on the side with room."""
    probability, role = shown.probability, shown.role
    rows = [{"difference": observed.value, "low": observed.low, "high": observed.high}]
    base = alt.Chart(data(rows))
    layers: list[Layer] = [
        base.mark_rect(color=colour(role), opacity=0.13)
        .encode(x="low:Q", x2="high:Q")
        .transform_filter("isValid(datum.low)"),
        base.mark_rule(color=colour(role), strokeDash=[2, 3]).encode(x="difference:Q"),
    ]
    if math.isnan(probability.value):
        return layers
    is_left = room.left > room.right
    beside: Properties = {"align": "right", "dx": -_BESIDE} if is_left else {"align": "left", "dx": _BESIDE}
    texts = [f"here: {shown.observed_text}", share_text(probability)]
    at = {"difference": observed.value, "probability": probability.value}
    layers.append(
        alt.Chart(data([at])).mark_circle(color=colour(role), size=70).encode(x="difference:Q", y="probability:Q")
    )
    for line, text in enumerate(texts):
        layers.append(
            alt.Chart(data([{"difference": observed.value, "text": text}]))
            .mark_text(color=colour(role if line == 0 else "ink"), **beside)
            .encode(x="difference:Q", y=alt.value(_HEIGHT - 2 - 16 * (len(texts) - line)), text="text:N")
        )
    return layers


def _subtitle(shown: _Shown) -> str:
    curve, population = shown.curve, shown.curve.population
    meaning = outcome_words(curve.outcome, shown.orientation)
    seen = f"{plural(population.pairs, 'pair')} of systems, {plural(population.language_pairs, 'language pair')}"
    where = f" of {listed(population.campaigns)}" if population.campaigns else ""
    text = f"How often {meaning}, by difference in {metric_label(curve.metric)}. {population.label}: {seen}{where}."
    if not np.isnan(curve.low).all():
        text += f" Band: {percent(float(shown.confidence))} interval."
    if shown.observed is not None and math.isnan(shown.probability.value):
        text += f" At {shown.observed_text}: {shown.probability.reason}."
    return text
