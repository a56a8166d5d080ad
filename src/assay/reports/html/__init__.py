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
    """The page of a document. `texts`: also show source, references and outputs, as far as the result has them."""

    texts: bool = True

    suffixes = (".html",)

    def render(self, document: Document) -> str:
        from assay.reports.html.page import page_html  # imports jinja2

        return page_html(document.page(self.texts))

    def recognises(self, content: bytes) -> bool:
        return MARK.encode() in content[:2000]
