"""A result as notebooks show it: the tables of its report, in the colours of the notebook."""

from __future__ import annotations

from assay.reports import document
from assay.reports.documents import Section
from assay.reports.html.page import asset, render
from assay.reports.html.tables import sections_html
from assay.results import Result

__all__ = ["notebook_html"]


def notebook_html(result: Result) -> str:
    """Sentences, tables with intervals drawn in their rows, and what they mean. The style holds for them alone."""
    shown = document(result)
    said = (Section(title=sentence) for sentence in shown.verdict.sentences)
    content = sections_html((*said, *shown.sections), caption=type(result).__name__)
    return str(render("templates/notebook.html", style=asset("notebook.css"), content=content))
