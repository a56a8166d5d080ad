"""Names as the literature writes them, for pages and papers; a terminal has the names that options take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.labels.metrics import metric_label, score_label
from assay.labels.statistics import statistic_label
from assay.reports.cells import Cell, Text
from assay.reports.documents import Caption, Column, Grid, Section
from assay.reports.layout import caption_text
from assay.types.note import listed

__all__ = [
    "FEWER_SYSTEMS",
    "caption_sentence",
    "labelled",
    "labelled_grid",
    "listed_text",
    "metric_text",
    "reason_captions",
    "score_text",
    "sentence",
    "statistic_text",
]

FEWER_SYSTEMS = (
    "A number in parentheses: the value is of so many systems only, because the metric has no scores of the others; "
    "such metrics come last, whatever their values."
)
_NAMED_WITH_A_REASON = 5
_SYMBOLS = ("n", "p")  # stay as they are at the beginning of a sentence
_ENDS = (".", "!", "?", ":")


def metric_text(metric: str) -> Text:
    """`bleu`, BLEU."""
    return Text(metric, label=metric_label(metric))


def score_text(metric: str, aggregation: str) -> Text:
    """`bleu segment`, BLEU segment mean; a corpus score goes by the name of the metric."""
    return Text(f"{metric} {aggregation}", label=score_label(metric, aggregation))


def statistic_text(statistic: str) -> Text:
    """`pearson`, Pearson."""
    return Text(statistic, label=statistic_label(statistic))


def listed_text(names: Iterable[Text], most: int) -> Text:
    """Several names as one text."""
    found = list(names)
    return Text(
        listed([each.text for each in found], most), label=listed([each.label or each.text for each in found], most)
    )


def labelled(section: Section) -> Section:
    """A section with the labels of its names, of its columns and of itself in place of what a terminal shows."""
    return replace(section, title=section.label or section.title, grids=tuple(map(labelled_grid, section.grids)))


def labelled_grid(grid: Grid) -> Grid:
    """A grid with the labels of its names and of its columns."""
    return replace(
        grid,
        columns=tuple(map(_labelled_column, grid.columns)),
        rows=tuple(tuple(map(_labelled_cell, row)) for row in grid.rows),
        captions=tuple(replace(each, values=tuple(map(_labelled_cell, each.values))) for each in grid.captions),
    )


def _labelled_column(column: Column) -> Column:
    return replace(column, title=column.label) if column.label else column


def _labelled_cell(cell: Cell) -> Cell:
    return replace(cell, text=cell.label) if isinstance(cell, Text) and cell.label else cell


def caption_sentence(caption: Caption) -> str:
    """A caption that begins with a value has a name there, which stays as it is, unless the value is all of it."""
    is_named = caption.template.startswith("{}") and caption.template != "{}"
    return sentence(caption_text(caption), is_named=is_named)


def sentence(text: str, *, is_named: bool = False) -> str:
    """A capital letter and a full stop. `is_named`: it begins with a name, which stays as it is."""
    is_symbol = text.partition(" ")[0].rstrip(":") in _SYMBOLS
    begun = text if is_named or is_symbol else f"{text[:1].upper()}{text[1:]}"
    return begun if not begun or begun.endswith(_ENDS) else f"{begun}."


def reason_captions(reasons: Iterable[tuple[Text, str | None]]) -> Iterator[Caption]:
    """For each reason, a caption that names what it is about; None: nothing is missing."""
    names: dict[str, dict[Text, None]] = {}
    for name, reason in reasons:
        if reason is not None:
            names.setdefault(reason, {})[name] = None
    for reason, named in names.items():
        yield Caption("{}: {}", (listed_text(named, _NAMED_WITH_A_REASON), Text(reason)))
