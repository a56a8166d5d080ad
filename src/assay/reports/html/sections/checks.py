"""What a reader should know about the data: the notes of all results, warnings first."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.html.page import PageSection, Report, render
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
        render("templates/checks.html", notes=notes),
        lede=f"{plural(warnings, 'warning')} and {plural(len(notes) - warnings, 'note')}.",
        part="Behind it",
    )
