"""LaTeX tables with booktabs, for a paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assay.reports import Document, Renderer, renderer
from assay.reports.cells import Cell, Flag, Passage, cell_text
from assay.reports.documents import Column, Grid
from assay.reports.labelled import labelled
from assay.reports.layout import caption_text

__all__ = ["Latex"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    "≀": r"$\wr$",
    "†": r"$\dagger$",
    "…": r"\ldots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "<=": r"$\le$",
    ">=": r"$\ge$",
    **dict.fromkeys("\n\r", " "),  # an empty line would end the paragraph
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_NARROW = 7  # columns that fit into one of two text columns of a page
_WIDE = 14  # columns that need a smaller font
_AMONG_BEST = r"\textsuperscript{*}"
_LEGEND = {Flag.BEST: "bold: best", Flag.AMONG_BEST: "*: not significantly different from the best"}


@renderer("latex")
@dataclass(frozen=True)
class Latex(Renderer):
    r"""A table with caption and label for each grid (needs \usepackage{booktabs}); signatures and notes are comments.

    The best value of a column is bold, and those that do not differ significantly from it have a star.
    """

    suffixes = (".tex",)

    def render(self, document: Document) -> str:
        blocks = ["% needs \\usepackage{booktabs}\n"]
        labels: Counter[str] = Counter()
        for section in map(labelled, document.sections):
            if section.title and not section.grids:
                blocks.append(_comments([section.title]))
            for grid in section.grids:
                title = ": ".join(filter(None, (document.name, section.title)))
                label = f"tab:{_slug(title)}"
                labels[label] += 1
                number = f"-{labels[label]}" if labels[label] > 1 else ""
                blocks.append("\n".join(_table(grid, title, f"{label}{number}")) + "\n")
            blocks[-1] += _comments(section.signatures)
        return "\n".join(blocks) + _comments(f"{note.severity}: {note}" for note in document.notes)


def _table(grid: Grid, title: str, label: str) -> Iterator[str]:
    environment = "table" if len(grid.columns) <= _NARROW else "table*"  # as wide as the page
    yield rf"\begin{{{environment}}}"
    yield r"\centering"
    if len(grid.columns) > _WIDE:
        yield r"\scriptsize\setlength{\tabcolsep}{3pt}"
    yield from _tabular(grid)
    details = "; ".join((*map(caption_text, grid.captions), *_legend(grid)))
    yield rf"\caption{{{_escaped(f'{title}. {details}.' if details else f'{title}.')}}}"
    yield rf"\label{{{label}}}"
    yield rf"\end{{{environment}}}"


def _tabular(grid: Grid) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{''.join(column.align[0] for column in grid.columns)}}}"
    yield r"\toprule"
    yield from _header(grid.columns)
    yield r"\midrule"
    for row in grid.rows:
        yield _row(map(_cell, row))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _header(columns: Sequence[Column]) -> Iterator[str]:
    """The titles, below those of the groups if there are any."""
    if any(column.group for column in columns):
        spans, rules, first = [], [], 1
        for group, members in groupby(columns, key=lambda column: column.group):
            count = len(list(members))
            spans.append(rf"\multicolumn{{{count}}}{{c}}{{{_escaped(group)}}}" if group else " & " * (count - 1))
            if group:
                rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
            first += count
        yield _row(spans)
        yield " ".join(rules)
    yield _row(_escaped((column.short if column.group else "") or column.title) for column in columns)


def _cell(cell: Cell) -> str:
    """A cell, in bold if it is the best, with a star if it does not differ significantly from the best."""
    if isinstance(cell, Passage):
        return "".join(
            rf"\underline{{{_escaped(piece.text)}}}" if piece.flags else _escaped(piece.text) for piece in cell.pieces
        )
    text = _escaped(cell_text(cell))
    if Flag.BEST in cell.flags and text:
        return rf"\textbf{{{text}}}"
    return text + _AMONG_BEST if Flag.AMONG_BEST in cell.flags else text


def _legend(grid: Grid) -> Iterator[str]:
    """What bold and stars mean, if there are any."""
    used = {flag for row in grid.rows for cell in row for flag in cell.flags}
    yield from (text for flag, text in _LEGEND.items() if flag in used)


def _row(cells: Iterable[str]) -> str:
    """A row that starts with a bracket or asterisk would be read as an argument of the row before."""
    row = " & ".join(cells) + r" \\"
    return f"{{{row[0]}}}{row[1:]}" if row.startswith(("[", "*")) else row


def _escaped(text: str) -> str:
    parts = re.split(r"(<=|>=|.)", text.replace("\n", " "))
    return "".join(_ESCAPES.get(part, part) for part in parts)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-") or "table"


def _comments(lines: Iterable[str]) -> str:
    return "".join(f"% {' '.join(line.splitlines())}\n" for line in lines)
