"""The figure of docs/methods/ebleu.md: mean scores by length, of the authors and of some readings."""

from __future__ import annotations

import math
from collections.abc import Mapping

import altair as alt

from assay.charts import svg as as_svg
from assay.charts.layout import MARGIN, Rows, data, panel, titled
from assay.charts.theme import colour, configuration
from scripts.ebleu_identity.fit import Fits, Texts, means
from scripts.ebleu_identity.readings import PRINTED, Reading

__all__ = ["svg"]

DRAWN = ("fasttext-cbow", "english-md", "wink-en", "use-multilingual")
LINES: Mapping[str, tuple[str, list[int], Reading | None]] = {
    "the authors' scores": ("ink", [1, 0], None),
    "as printed": ("green", [1, 0], PRINTED),
    "L1": ("gold", [6, 3], Reading(diffusion="l1")),
    "weights normalised": ("muted", [2, 2], Reading(weights="normalised")),
    "13a, unknown=zero": ("outlier", [8, 3, 2, 3], Reading(tokens="13a", unknown="zero")),
}
"""What is drawn, with the role of its colour and its dashes."""
WIDTH = 960  # px
_PANEL = 400, 190
_LOWEST = 0.72
_TICKS = [1, 2, 3, 5, 10, 20, 30]


def svg(texts: Texts, fits: Fits) -> str:
    """Four panels, on white, which is readable on any page."""
    rows = [alt.hconcat(*(_panel(name, texts, fits) for name in DRAWN[i : i + 2]), spacing=24) for i in (0, 2)]
    chart = alt.vconcat(*rows, spacing=22).properties(
        padding=MARGIN,
        **titled(
            "eBLEU of outputs that equal their reference, by length",
            "Mean scores of segments by the authors, on fastText's vectors, and by four readings on other vectors.",
            WIDTH,
        ),
    )
    return as_svg(chart.configure(**configuration("light")))


def _panel(source: str, texts: Texts, fits: Fits) -> alt.LayerChart:
    at = means(texts.lengths, texts.lengths)
    rows: Rows = []
    for line, (_, _, reading) in LINES.items():
        values = means(texts.official, texts.lengths) if reading is None else fits[source, reading].means
        points = zip(at, values, strict=True)
        rows += [{"words": x, "score": y, "line": line} for x, y in points if not math.isnan(y)]
    names = list(LINES)
    legend = alt.Legend(orient="top", title=None, symbolType="stroke", symbolSize=300)
    hues = alt.Scale(domain=names, range=[colour(role) for role, _, _ in LINES.values()])
    dashes = alt.Scale(domain=names, range=[dash for _, dash, _ in LINES.values()])
    base = alt.Chart(data(rows)).encode(
        x=alt.X(
            "words:Q",
            title="words",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(values=_TICKS, grid=False, format="d"),
        ),
        y=alt.Y("score:Q", title=source, scale=alt.Scale(domain=[_LOWEST, 1], nice=False)),
        color=alt.Color("line:N", scale=hues, legend=legend),
    )
    return panel(
        base.mark_line(strokeWidth=1.8, clip=True).encode(
            strokeDash=alt.StrokeDash("line:N", scale=dashes, legend=legend)
        ),
        base.mark_circle(size=26, clip=True),
        width=_PANEL[0],
        height=_PANEL[1],
    )
