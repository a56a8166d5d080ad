"""The public functions, one file each. `assay` imports them on first use.

Notebooks show what they return as reports do.
"""

from __future__ import annotations

from assay.results.result import Result

__all__: list[str] = []


def _notebook_html(result: Result) -> str:
    from assay.reports import document
    from assay.reports.blocks import Sentences
    from assay.reports.html.page import notebook_html  # imports jinja2
    from assay.reports.page.tables import tables

    shown = document(result)
    said = Sentences(shown.opening or shown.verdict.sentences)
    return notebook_html((said, *tables(shown.sections, type(result).__name__)))


Result.notebook_form = _notebook_html
