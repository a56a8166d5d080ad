"""Systems by scores: the table of a paper, with the aggregations of a metric below its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.labels.metrics import metric_label
from assay.labels.numbers import percent
from assay.reports.cells import Cell, Number, Text
from assay.reports.documents import Caption, Column, Grid
from assay.reports.labelled import score_text
from assay.results.order import best_first
from assay.types import TestSet, TestSetRecord
from assay.types.note import plural

__all__ = [
    "ScoreColumn",
    "interval_captions",
    "number_range",
    "paper_decimals",
    "score_columns",
    "score_grid",
    "systems_on",
]

_AGGREGATIONS = {
    "segment": "segment: mean of the segment scores",
    "bootstrap": "bootstrap: mean of the scores of resampled corpora",
}


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """The scores of all systems under one metric and aggregation."""

    metric: str
    aggregation: str
    higher_is_better: bool
    numbers: Mapping[str, Number]

    @property
    def best_first(self) -> list[str]:
        """The systems in the order of the score, those without one last."""
        values = {system: number.value for system, number in self.numbers.items()}
        return best_first(values, higher_is_better=self.higher_is_better)


def score_grid(systems: Sequence[str], scores: Sequence[ScoreColumn], captions: Sequence[Caption] = ()) -> Grid:
    """A row for each system and a column for each score, with as many decimals as papers print."""
    rows: list[tuple[Cell, ...]] = [
        (Text(system), *(_rounded(score.numbers[system]) for score in scores)) for system in systems
    ]
    header = (Column("system", "left"), *score_columns(scores))
    return Grid(header, tuple(rows), (*captions, *_column_captions(scores)))


def score_columns(scores: Sequence[ScoreColumn]) -> Iterator[Column]:
    """A metric with several aggregations stands above them. An arrow marks scores where lower is better."""
    counts = Counter(score.metric for score in scores)
    for score in scores:
        metric, arrow = metric_label(score.metric), "" if score.higher_is_better else " ↓"
        name = score_text(score.metric, score.aggregation)
        column = Column(f"{name.text}{arrow}", label=f"{name.label}{arrow}")
        if counts[score.metric] == 1:
            yield column
        else:
            yield replace(column, group=f"{metric}{arrow}", short=score.aggregation)


def paper_decimals(decimals: int) -> int:
    """One decimal for scores from 0 to 100, three for those of the order of 1: one less than in other forms."""
    return decimals - 1


def systems_on(inputs: TestSet | TestSetRecord, counts: Sequence[int], unit: str = "segment") -> str:
    """The systems and the test set: its name and language pair, and how many of its segments were used."""
    used = plural(counts[0], unit) if min(counts) == max(counts) else f"{number_range(counts)} {unit}s"
    where = f" on {inputs.name}" if inputs.name else ""
    known = ", ".join(filter(None, (inputs.lp, used, plural(len(inputs.references), "reference"))))
    return f"{plural(len(inputs.systems), 'system')}{where} ({known})"


def number_range(counts: Iterable[int]) -> str:
    """A number, or the smallest and the largest if they differ."""
    least, most = min(counts := list(counts)), max(counts)
    return f"{most:,}" if least == most else f"{least:,}–{most:,}"


def interval_captions(settings: Mapping[str, str]) -> Iterator[Caption]:
    """How the intervals of scores were made, if there are any."""
    if int(settings.get("resamples", "0")):
        confidence, resamples = percent(float(settings["confidence"])), plural(int(settings["resamples"]), "resample")
        words = f"{confidence} intervals: bootstrap over {settings.get('unit', 'segment')}s, {resamples}"
        yield Caption("{}", (Text(words),), "intervals")


def _rounded(number: Number) -> Number:
    return replace(number, decimals=paper_decimals(number.decimals))


def _column_captions(scores: Sequence[ScoreColumn]) -> Iterator[Caption]:
    """What the titles of the columns mean."""
    used = {score.aggregation for score in scores}
    yield from (Caption(text) for aggregation, text in _AGGREGATIONS.items() if aggregation in used)
    if not all(score.higher_is_better for score in scores):
        yield Caption("↓: lower is better")
