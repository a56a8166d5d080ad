"""LaTeX tables with booktabs, for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.reports import Document, Renderer, renderer
from assay.reports.documents import Section
from assay.reports.layout import TextGrid, text_grid

__all__ = ["Latex"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    "≀": r"$\wr$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


@renderer("latex")
@dataclass(frozen=True)
class Latex(Renderer):
    r"""A tabular for each grid (needs \usepackage{booktabs}); captions, signatures and notes are comments."""

    suffixes = (".tex",)

    def render(self, document: Document) -> str:
        blocks = ["\n".join(_tables(section)) + _comments(section.signatures) for section in document.sections]
        return "\n".join(blocks) + _comments(f"{note.severity}: {note}" for note in document.notes)


def _tables(section: Section) -> Iterator[str]:
    if section.title:
        yield _comments([section.title])
    for grid in section.grids:
        # block characters are missing from most fonts, so series are not drawn
        yield "\n".join(_lines(text_grid(grid, charts=False))) + "\n"


def _lines(grid: TextGrid) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{'l' * grid.labels}{'r' * (len(grid.header) - grid.labels)}}}"
    yield r"\toprule"
    yield _row(grid.header)
    yield r"\midrule"
    for row in grid.rows:
        yield _row(row)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for caption in grid.captions:
        yield _comments([caption]).rstrip("\n")


def _comments(lines: Iterable[str]) -> str:
    return "".join(f"% {' '.join(line.splitlines())}\n" for line in lines)


def _row(cells: tuple[str, ...]) -> str:
    """A row that starts with a bracket or asterisk would be read as an argument of the row before."""
    row = " & ".join("".join(_ESCAPES.get(c, c) for c in cell) for cell in cells) + r" \\"
    return f"{{{row[0]}}}{row[1:]}" if row.startswith(("[", "*")) else row
