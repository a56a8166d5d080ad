"""The differences between two runs, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from assay.labels.numbers import UNDEFINED
from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Caption, Document, Grid, Section, columns
from assay.results import Difference, ScoreChange
from assay.words.scores import changed_scores, same_runs

__all__ = ["document"]

_DIGEST_SHOWN = 12
_MANY_DECIMALS = 6  # of scores whose change is too small to be seen otherwise


def document(difference: Difference) -> Document:
    """First the inputs and settings that differ, then the scores and segments that changed."""
    return Document.of(difference, lambda: _sections(difference), name="Differences between two results")


def _sections(difference: Difference) -> Iterator[Section]:
    names = (difference.first, difference.second)
    if not difference.different:
        yield Section(title=same_runs(difference))
        return
    if difference.settings:
        rows = tuple(
            (Text(c.kind), Text(c.name), _setting(c.kind, c.first), _setting(c.kind, c.second))
            for c in difference.settings
        )
        yield Section((Grid(columns(("inputs and settings", "", *names), labels=4), rows),))
    moved = [change for change in difference.scores if change.moved]
    yield Section((_score_grid(difference, moved),)) if moved else Section(title=changed_scores(difference))
    if any(change.moved for change in difference.segments):
        yield Section((_segment_grid(difference),))


def _setting(kind: str, value: str | None) -> Text:
    """A setting, the beginning of a digest, or a dash if the run does not have it."""
    return Text(UNDEFINED if value is None else value[:_DIGEST_SHOWN] if kind == "input" else value)


def _score_grid(difference: Difference, moved: list[ScoreChange]) -> Grid:
    rows = tuple(
        (
            *map(Text, (change.metric, change.aggregation, change.group or "", change.system)),
            *_values(change.first.value, change.second.value, change.decimals),
        )
        for change in moved
    )
    titles = ("scores that changed", "", "", "", difference.first, difference.second, "change")
    return Grid(columns(titles, labels=4), rows, (Caption(changed_scores(difference)),))


def _segment_grid(difference: Difference) -> Grid:
    rows = tuple(
        (
            Text(f"{changes.metric} {changes.system} ({changes.moved} of {changes.segments})" if k == 0 else ""),
            Count(segment, grouped=False),
            *_values(first, second, changes.decimals),
        )
        for changes in difference.segments
        for k, (segment, first, second) in enumerate(changes.largest)
    )
    return Grid(columns(("segments that changed most", "segment", difference.first, difference.second, "change")), rows)


def _values(first: float, second: float, decimals: int) -> tuple[Cell, Cell, Cell]:
    """With the decimals of the metric, or more if these do not show the change."""
    change = second - first
    if abs(change) < 0.5 * 10**-decimals:
        return Number(first, _MANY_DECIMALS), Number(second, _MANY_DECIMALS), Number(change, 1, style="scientific")
    return Number(first, decimals), Number(second, decimals), Number(change, decimals, style="signed")
