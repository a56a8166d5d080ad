"""What a reader should know about the data: the notes of all results, warnings first."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.page import PageSection, Report, render
from assay.reports.labelled import sentence
from assay.types import Note
from assay.types.note import plural

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """Left out if there is nothing to say."""
    found: dict[Note, None] = dict.fromkeys(note for result in report.results for note in result.notes)
    notes = sorted(found, key=lambda note: note.severity != "warning")
    if not notes:
        return
    warnings = sum(note.severity == "warning" for note in notes)
    yield PageSection(
        "checks",
        "Data checks",
        "What to know about the data",
        render("templates/checks.html", notes=[(note, _text(note)) for note in notes]),
        lede=f"{' and '.join(_counts(warnings, len(notes) - warnings))}.",
        part="Behind it",
    )


def _counts(warnings: int, others: int) -> Iterator[str]:
    yield from (plural(count, name) for count, name in ((warnings, "warning"), (others, "note")) if count)


def _text(note: Note) -> str:
    """A sentence; after the place that it is about it goes on in small letters."""
    return sentence(note.text, is_named=bool(note.where))
