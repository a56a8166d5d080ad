"""One HTML file that opens offline and holds everything: words, tables, charts, and the texts if they may be shown."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer

__all__ = ["MARK", "Html"]

MARK = '<meta name="generator" content="Assay">'
"""What a report is recognised by."""


@renderer("html")
@dataclass(frozen=True)
class Html(Renderer):
    """The report of one result. `texts`: also show source, references and outputs, as far as the result has them."""

    texts: bool = True

    suffixes = (".html",)

    def render(self, document: Document) -> str:
        from assay.reports.html.page import Report, page  # imports jinja2

        commands = (document.command,) if document.command else ()
        results = () if document.result is None else (document.result,)
        return page(Report(results, commands, texts=self.texts))

    def recognises(self, content: bytes) -> bool:
        return MARK.encode() in content[:2000]
