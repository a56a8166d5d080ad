"""What writers of marked errors share: which marks a file is about, and errors as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assay.data.tables.error_spans import MISSING
from assay.errors import ConfigError, InputError, option_name, printable
from assay.types import Campaign, Column, ErrorSpan, Ratings
from assay.types.severity import Severity

__all__ = ["MarkedOutput", "check_error", "marked_outputs", "marks_to_write", "one_line", "span_columns", "text_of"]

_ALL = "all.judgements.jsonl holds them"
_BREAKS = "\t\n\r"


class MarkedOutput(NamedTuple):
    """An output with the errors that were marked in it."""

    system: str
    segment: int
    """From 0."""
    errors: tuple[ErrorSpan, ...]


def marks_to_write(campaign: Campaign, form: str) -> Ratings:
    """The errors that one metric or one rater marked; an error if there are others, or judgements without errors."""
    marked = campaign.judged_or_predicted
    ratings = marked[0] if len(marked) == 1 else None
    if not isinstance(ratings, Ratings) or not ratings.errors or len(ratings.raters) > 1:
        raise ConfigError(f"{form} holds the errors that one metric or one rater marked", hint=f"of others, {_ALL}")
    if any(errors is None for errors in ratings.errors):
        raise ConfigError(f"{form} has no place for scores without marked errors", hint=_ALL)
    if ratings.is_human and any(kind != "TGT" for kind in ratings.kind):
        raise ConfigError(f"{form} has no place for quality-control items", hint=_ALL)
    cells = set(zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True))
    if len(cells) < len(ratings):
        raise ConfigError(f"{form} has no place for two ratings of an output", hint=_ALL)
    return ratings


def marked_outputs(ratings: Ratings) -> Iterator[MarkedOutput]:
    """Each output with its errors, without what raters marked as no error."""
    rows = zip(ratings.system.tolist(), ratings.segment.tolist(), ratings.marks, strict=True)
    for system, segment, errors in rows:
        found = tuple(error for error in errors if error.severity != Severity.NO_ERROR)
        yield MarkedOutput(ratings.systems[system], segment, found)


def span_columns(errors: Sequence[ErrorSpan], form: str, *, has_missing: bool) -> tuple[str, str, str]:
    """The starts, ends and severities of errors, with spaces between them; -1 and no-error are none.

    With `has_missing`, an error without a position is `missing` in both columns.
    """
    for error in errors:
        check_error(error, form)
        if error.category not in ("", MISSING):
            raise ConfigError(f"{form} has no place for categories of errors: '{printable(error.category)}'", hint=_ALL)
        if error.start is None and not has_missing:
            raise ConfigError(f"{form} has no place for errors without a position", hint=_ALL)
    if not errors:
        return "-1", "-1", Severity.NO_ERROR
    starts = " ".join(MISSING if error.start is None else str(error.start) for error in errors)
    ends = " ".join(MISSING if error.end is None else str(error.end) for error in errors)
    return starts, ends, " ".join(error.severity for error in errors)


def check_error(error: ErrorSpan, form: str) -> None:
    """Refuse an error that no form of a task has."""
    if error.in_source or not error.severity:
        what = "in the source" if error.in_source else "without a severity"
        raise ConfigError(f"{form} has no place for errors {what}", hint=_ALL)


def one_line(cells: Iterable[str], form: str) -> str:
    """The cells of a row, separated by tabs."""
    row = list(cells)
    for cell in row:
        if any(mark in cell for mark in _BREAKS):
            message = f"{form} has no place for tabs and line breaks in texts and names: '{printable(cell[:40])}'"
            raise InputError(message)
    return "\t".join(row) + "\n"


def text_of(column: Column | None, segment: int, form: str) -> str:
    """The text of an output, which the form repeats; an error if it is not known."""
    text = None if column is None or segment >= len(column) else column[segment]
    if text is not None:
        return text
    raise ConfigError(
        f"{form} has the texts of the outputs, and some are not known",
        hint=f"give them together with the errors, and do not leave them out by {option_name('only')}",
    )
