"""A paper that was run again, as a folder of files: the table, every result, and the figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.charts import draw, render
from assay.errors import InputError
from assay.files import write_atomic
from assay.reports import document, renderer
from assay.results import Reproduction, Result

__all__ = ["write_folder"]

_FORMS = ("json", "tsv", "latex")
_FIGURES = ("svg", "pdf")


def write_folder(result: Reproduction, folder: Path) -> None:
    """Write PAPER.md and PAPER.json, each result as JSON, TSV and LaTeX, and each figure as SVG and PDF."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("is not a folder that can be written to", path=str(folder)) from error
    for name, content in _files(result):
        write_atomic(folder / name, content)


def _files(result: Reproduction) -> Iterator[tuple[str, bytes]]:
    for form in ("md", "json"):
        yield _written(result.paper, result, form)
    for name, each in result.results.items():
        for form in _FORMS:
            yield _written(name, each, form)
    for name, figure in result.figures.items():
        chart = draw(figure.chart, *(result.results[source] for source in figure.results))
        for form in _FIGURES:
            yield f"{name}.{form}", render(chart, form)


def _written(name: str, result: Result, form: str) -> tuple[str, bytes]:
    made = renderer.create(form)
    content = made.render(document(result))
    return f"{name}{made.suffixes[0]}", content.encode() if isinstance(content, str) else content
