"""Human differences in bins of metric difference, coloured by what people find (Mathur et al. 2020)."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

import altair as alt

from assay.charts import chart
from assay.charts.layout import NARROW, AltairChart, Rows, compose, data
from assay.charts.outcomes import LABELS, DecisionsChart, ShownDecisions, color, shape
from assay.charts.theme import colour
from assay.labels.metrics import difference_label, metric_label
from assay.labels.tests import significance_test_label
from assay.results import Decisions, MetricDecisions
from assay.types.note import plural

__all__ = ["HumanDifferences"]

_GOLDEN = (math.sqrt(5) - 1) / 2  # multiples of it, modulo 1, fill an interval evenly


@chart("human-differences")
@dataclass(frozen=True, slots=True)
class HumanDifferences(DecisionsChart):
    """A point for each pair of systems, spread inside of its bin; the box holds the middle half."""

    def draw(self, shown: ShownDecisions, width: int) -> AltairChart:
        decisions, decided = shown
        bins = [each for each in decided.bins if each.pairs]
        labels = {each.label: _label(each.label, each.pairs, width) for each in bins}
        x = alt.X(
            "bin:N",
            title=difference_label(decided.metric, decided.aggregation),
            scale=alt.Scale(domain=list(labels.values()), paddingInner=0.25, paddingOuter=0.15),
            axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, '|')", labelLineHeight=15),
        )
        y = alt.Y("human:Q", title=f"human difference, {decided.protocol}", axis=alt.Axis(tickCount=5))
        points = (
            alt.Chart(data(_rows(decided, labels)))
            .mark_point(filled=True, size=20, opacity=0.65)
            .encode(x=x, y=y, color=color(width), shape=shape(), xOffset=alt.XOffset("spread:Q", scale=_spread()))
        )
        boxes = alt.Chart(
            data(
                {
                    "bin": labels[each.label],
                    "low": each.quartiles[0],
                    "human": each.quartiles[1],
                    "high": each.quartiles[2],
                }
                for each in bins
            )
        ).encode(x=alt.X("bin:N", bandPosition=0), x2=alt.X2("bin:N", bandPosition=1))
        zero = alt.Chart(data([{"human": 0}])).mark_rule(color=colour("faint")).encode(y=y)
        return compose(
            zero,
            points,
            boxes.mark_rect(filled=False, stroke=colour("ink"), strokeWidth=1.2).encode(y=alt.Y("low:Q"), y2="high:Q"),
            boxes.mark_rule(color=colour("ink"), strokeWidth=2.5).encode(y=y),
            title=f"What do people say of the system that {metric_label(decided.metric)} prefers?",
            subtitle=_subtitle(decisions, decided),
            width=width,
            height=300,
        )


def _label(label: str, pairs: int, width: int) -> str:
    """The bin, and below it the number of pairs."""
    is_narrow = width < NARROW
    return "|".join(
        [
            *textwrap.wrap(label, 8 if is_narrow else 20, break_long_words=False),
            f"{'' if is_narrow else 'n = '}{pairs:,}",
        ]
    )


def _spread() -> alt.Scale:
    return alt.Scale(domain=[0, 1])


def _rows(decided: MetricDecisions, labels: dict[str, str]) -> Rows:
    return [
        {
            "bin": labels[each.label],
            "human": human,
            "outcome": LABELS[int(outcome)],
            "spread": place * _GOLDEN % 1,
        }
        for each in decided.bins
        if each.observed is not None
        for place, (_, human, _, outcome) in enumerate(each.observed.tolist())
    ]


def _subtitle(decisions: Decisions, decided: MetricDecisions) -> str:
    label = significance_test_label(decisions.settings.get("test", ""))
    test = f"{label} test, one-sided p < {decisions.settings['alpha']}"
    return (
        f"{plural(decided.pairs, 'pair')} of systems; human scores: {test}. "
        f"Above zero, people agree with {metric_label(decided.metric)}. Box: the middle half of a bin, and its median."
    )
