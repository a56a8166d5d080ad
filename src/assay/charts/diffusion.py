"""eBLEU's map of a segment: the meaning of its words, and what the other text reconstructs of it (figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from assay.charts import Chart, chart, find
from assay.charts.intervals import label_width
from assay.charts.layout import MARGIN, AltairChart, data, panel, stacked
from assay.charts.theme import colour
from assay.errors import ConfigError, InputError, UnknownNameError, nearest, printable
from assay.metrics import metric as metric_registry
from assay.metrics.ebleu import DiffusionMap, Ebleu
from assay.registry import split_spec
from assay.results import Result, Run
from assay.types import FloatArray, Signature
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

__all__ = ["Diffusion"]

_CELL_HEIGHT, _MAX_CELL = 20, 60  # px
_MIN_CELL_WITH_NUMBER = 30  # px
_TOTAL = 56  # px for the sums beside the cells


@dataclass(frozen=True, slots=True)
class _Shown:
    spec: str
    system: str
    segment: int
    side: str
    metric: Ebleu
    text: str
    other: str

    def map(self) -> DiffusionMap:
        """Computed when the chart is drawn: an encoder takes its time."""
        found = self.metric.diffusion_map(self.text, self.other, Runtime(threads=1))
        if not found.words:
            raise _without_words(self.side, self.segment)
        return found


@chart("diffusion")
@dataclass(frozen=True, slots=True)
class Diffusion(Chart[_Shown]):
    """Two matrices of the words of a text: their similarities, and those by way of the other text."""

    metric: str = ""
    """One of the run's eBLEU scores, if there are several."""
    system: str = ""
    """The first one if it is left out."""
    segment: int = 1
    """Counted from 1."""
    side: Literal["reference", "output"] = "reference"
    """Whose words: the reference's, for recall, or the output's, for precision."""

    def select(self, results: Sequence[Result]) -> _Shown | None:
        run = find(Run, results)
        if run is None:
            return None
        specs = [spec for spec in run.metrics if split_spec(spec)[0] == Ebleu.name]
        if not specs:
            raise ConfigError(
                f"the chart 'diffusion' needs a run with ebleu, this one has {listed(run.metrics)}",
                hint="score with ebleu:vectors=NAME, and save the run with its texts",
            )
        spec = self.metric or specs[0]
        if spec not in specs:
            raise UnknownNameError(f"the run has no '{spec}'", hint=nearest(spec, specs))
        output, reference = self._texts(run)
        made = _metric_of(run[spec].segment_signature)
        if made is None:
            return None
        text, other = (reference, output) if self.side == "reference" else (output, reference)
        if not text.strip():
            raise _without_words(self.side, self.segment)
        return _Shown(spec, self.system or run.systems[0], self.segment, self.side, made, text, other)

    def _texts(self, run: Run) -> tuple[str, str]:
        """The output and the first reference of the segment."""
        try:
            testset = run.testset
        except InputError as error:
            raise ConfigError(error.message, hint=error.hint) from error
        if not 1 <= self.segment <= len(testset):
            raise ConfigError(f"segment must be between 1 and {len(testset):,}, not {self.segment}")
        output = testset.output(self.system or run.systems[0])[self.segment - 1]
        references = [column[self.segment - 1] for column in testset.references.values()]
        reference = next((text for text in references if text is not None), None)
        if output is None or reference is None:
            raise ConfigError(f"segment {self.segment} has no output or no reference")
        return output, reference

    def draw(self, shown: _Shown, width: int) -> AltairChart:
        found = shown.map()
        words = [f"{place}  {printable(word)}" for place, word in enumerate(found.words, 1)]
        other = "output" if shown.side == "reference" else "reference"
        plot = width - label_width(words) - 2 * MARGIN
        own = _matrix(found.own, words, plot, f"meaning of the {shown.side}")
        reconstructed = _matrix(found.reconstructed, words, plot, f"what the {other} reconstructs of it")
        return stacked(
            own,
            reconstructed,
            title=f"How much of the meaning of the {shown.side} is in the {other}?",
            subtitle=(
                f"Segment {shown.segment}, system {printable(shown.system)}, {plural(len(words), 'word')}. "
                f"{shown.spec}. "
                f"Above: similarities of the words of the {shown.side}; below: the same, by way of the {other}. Right: "
                "sums of the rows, the smaller of which counts as matched."
            ),
            width=width,
        )


def _metric_of(signature: Signature) -> Ebleu | None:
    """The metric of a run with the same files; None if it is another metric of this name."""
    made = metric_registry.create(signature.spec)
    if not isinstance(made, Ebleu):
        return None
    try:
        now = dict(made.resources)
    except InputError as error:
        raise ConfigError(error.message, hint=error.hint) from error
    for name, before in signature.resources:
        if now.get(name) != before:
            raise ConfigError(
                f"the {name} of the run have changed since: {before} then, {now.get(name)} now",
                hint="score again, or bring the file back",
            )
    return made


def _without_words(side: str, segment: int) -> ConfigError:
    return ConfigError(f"the {side} of segment {segment} has no words")


def _matrix(values: FloatArray, words: list[str], width: float, title: str) -> alt.LayerChart:
    """Cells by row and column, darker for larger values, with the sum of each row to their right."""
    places = [str(place) for place in range(1, len(words) + 1)]
    rows: list[dict[str, Any]] = [
        {"row": word, "column": place, "value": value, "text": f"{value:.2f}".lstrip("0")}
        for word, line in zip(words, values.tolist(), strict=True)
        for place, value in zip(places, line, strict=True)
    ]
    cell = min((width - _TOTAL) / len(words), _MAX_CELL)
    size = cell * len(words)
    x = alt.X(
        "column:N",
        scale=alt.Scale(domain=places, range=[0, size]),
        axis=alt.Axis(orient="top", labelAngle=0, labelColor=colour("muted"), labelOverlap=True),
        title=title,
    )
    y = alt.Y("row:N", scale=alt.Scale(domain=words), title=None)
    base = alt.Chart(data(rows)).encode(x=x, y=y)
    opacity = alt.FillOpacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.8]), legend=None)
    layers: list[alt.Chart] = [
        base.mark_rect(fill=colour("green"), stroke=colour("paper"), strokeWidth=1).encode(fillOpacity=opacity)
    ]
    if cell >= _MIN_CELL_WITH_NUMBER:
        layers.append(base.mark_text(fontSize=11, color=colour("ink")).encode(text="text:N"))
    sums = [
        {"row": word, "text": f"{total:.2f}"} for word, total in zip(words, values.sum(axis=1).tolist(), strict=True)
    ]
    total = alt.Chart(data(sums)).mark_text(fontSize=11, align="right", color=colour("muted"))
    layers.append(total.encode(x=alt.value(size + _TOTAL - MARGIN), y=y, text="text:N"))
    return panel(*layers, width=width, height=_CELL_HEIGHT * len(words))
