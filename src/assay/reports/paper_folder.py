"""A paper that was run again, as a folder of files: the numbers, every result, and the figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.charts import draw, render
from assay.errors import InputError
from assay.files import write_atomic
from assay.reports import document, renderer
from assay.results import Reproduction, Result

__all__ = ["write_paper"]

_FORMS = ("json", "tsv", "latex")
_FIGURES = ("svg", "pdf")


def write_paper(result: Reproduction, folder: Path) -> int:
    """Write PAPER.md and PAPER.json, each result as JSON, TSV and LaTeX, and each figure as SVG and PDF; count them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("is not a folder that can be written to", path=str(folder)) from error
    count = 0
    for name, content in _files(result):
        write_atomic(folder / name, content)
        count += 1
    return count


def _files(result: Reproduction) -> Iterator[tuple[str, bytes]]:
    name, content = _written(result.paper, result, "md")
    yield name, content + _contents(result).encode()
    yield _written(result.paper, result, "json")
    for name, each in result.results.items():
        for form in _FORMS:
            yield _written(name, each, form)
    for name, figure in result.figures.items():
        chart = draw(figure.chart, *result.drawn(name))
        for form in _FIGURES:
            yield f"{name}.{form}", render(chart, form)


def _contents(result: Reproduction) -> str:
    """Links to the other files, with what they are in the paper."""
    results = [f"- [{result.tables.get(name, name)}]({name}.tsv)" for name in result.results]
    figures = [f"- [{figure.caption}]({name}.svg)" for name, figure in result.figures.items()]
    return "\n".join(["", "## Results", "", *results, "", "## Figures", "", *figures, ""])


def _written(name: str, result: Result, form: str) -> tuple[str, bytes]:
    made = renderer.create(form)
    content = made.render(document(result))
    return f"{name}{made.suffixes[0]}", content.encode() if isinstance(content, str) else content
