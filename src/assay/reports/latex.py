"""LaTeX tables with booktabs, as papers print them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from assay.errors import ConfigError
from assay.reports import Document, Renderer, renderer
from assay.reports.cells import (
    AMONG_BEST_MARK,
    AMONG_BEST_NOTE,
    MARKS,
    Cell,
    Flag,
    Number,
    Passage,
    Text,
    cell_text,
)
from assay.reports.documents import Column, Grid, Section
from assay.reports.labelled import caption_sentence, labelled, sentence
from assay.reports.layout import caption_text

__all__ = ["Latex"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "≀": r"$\wr$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "§": r"\S{}",
    "↓": r"$\downarrow$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "…": r"\ldots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "<=": r"$\le$",
    ">=": r"$\ge$",
    **dict.fromkeys("\n\r", " "),  # an empty line would end the paragraph
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_MAX_LINES = 42  # of a page, besides header and caption
_MAX_LABEL = 40
_TEXT_WIDTHS = (60, 45, 30, 20)  # of a column of text, in characters; a longer text takes several lines


@dataclass(frozen=True, slots=True)
class _Layout:
    """How wide a table may be: an environment, its font, and what a character and a column gap take, in points."""

    environment: str
    font: str
    width: float
    character: float
    gap: float


_COLUMN, _PAGE = 219.0, 455.0  # of the conferences of the ACL
_LAYOUTS = (
    _Layout("table", "", _COLUMN, 5.6, 12),
    _Layout("table", r"\small\setlength{\tabcolsep}{4pt}", _COLUMN, 5.1, 8),
    _Layout("table*", "", _PAGE, 5.6, 12),
    _Layout("table*", r"\footnotesize\setlength{\tabcolsep}{3pt}", _PAGE, 4.85, 6),
)
_WIDE, _NARROW = 1.45, 0.7  # characters, as a multiple of a digit
_SECOND_LINE = 0.75  # of the width of a character: intervals are in a smaller font


@renderer("latex")
@dataclass(frozen=True)
class Latex(Renderer):
    r"""The tables of a paper, with captions and labels (needs \usepackage{booktabs}); all else is a comment.

    The best value of a column is bold, and those that are not shown to differ from it have a dagger. First come the
    tables with their values alone, then details: the same with intervals in a second line, and all else. A table that
    a page cannot hold is split into parts. Signatures stand below their table, remarks and notes at the end.
    """

    suffixes = (".tex",)

    def render(self, document: Document) -> str:
        sections = [labelled(section) for section in document.paper]
        labels: Counter[str] = Counter()
        blocks = [r"% needs \usepackage{booktabs}" + "\n"]
        tables = sorted(_tables(sections), key=lambda each: each.is_detail)
        blocks += ["".join(f"{line}\n" for line in table.lines(labels)) for table in tables]
        signatures = [line for section in sections if not section.grids for line in section.signatures]
        prose = [*document.opening, *(each.title for each in sections if each.title and not each.grids)]
        comments = [*signatures, *prose, *(f"{note.severity}: {note}" for note in document.notes)]
        return "\n".join([*blocks, *([_comments(comments)] if comments else [])])


@dataclass(frozen=True, slots=True)
class _Table:
    """A grid with what its caption begins with. A detail shows intervals."""

    grid: Grid
    title: str
    signatures: tuple[str, ...]
    is_detail: bool

    def lines(self, labels: Counter[str]) -> Iterator[str]:
        width = _text_width(self.grid, self.title)
        parts = [*_parts(self.grid, width)]
        for number, part in enumerate(parts, 1):
            label = _slug(self.title)
            labels[label] += 1
            count = f"-{labels[label]}" if labels[label] > 1 else ""
            yield from _float(part, self._caption(number, len(parts)), f"tab:{label}{count}", width)
        yield from _comment_lines(self.signatures)
        yield from _comment_lines(caption_text(each) for each in self.grid.captions if each.role == "remark")

    def _caption(self, number: int, total: int) -> str:
        """A part that is not the first refers to the one above."""
        if number > 1:
            return f"{sentence(self.title)} Continued ({number} of {total})."
        shown = [each for each in self.grid.captions if each.role != "remark"]
        return " ".join((sentence(self.title), *map(caption_sentence, shown), *_legend(self.grid)))


def _tables(sections: Iterable[Section]) -> Iterator[_Table]:
    """Every grid without its intervals and, if it has some, also with them, as a detail."""
    for section in sections:
        for place, grid in enumerate(section.grids):
            signatures = section.signatures if place == len(section.grids) - 1 else ()
            values, has_intervals = _values_alone(grid), any(map(_second_line, chain.from_iterable(grid.rows)))
            if not section.is_detail:
                yield _Table(values, section.title, signatures, is_detail=False)
            if section.is_detail or has_intervals:
                signatures = signatures if section.is_detail else ()
                explained = tuple(each for each in grid.captions if section.is_detail or each.role != "remark")
                yield _Table(replace(grid, captions=explained), section.title, signatures, is_detail=True)


def _values_alone(grid: Grid) -> Grid:
    """A grid without intervals and standard deviations."""
    rows = tuple(tuple(map(_value_alone, row)) for row in grid.rows)
    captions = tuple(each for each in grid.captions if each.role != "intervals")
    return replace(grid, rows=rows, captions=captions)


def _value_alone(cell: Cell) -> Cell:
    return replace(cell, low=math.nan, high=math.nan, spread=math.nan) if isinstance(cell, Number) else cell


def _float(grid: Grid, caption: str, label: str, width: int) -> Iterator[str]:
    layout = _layout(grid, width) or _LAYOUTS[-1]
    yield rf"\begin{{{layout.environment}}}"
    yield r"\centering"
    if layout.font:
        yield layout.font
    yield from _tabular(grid, layout, width)
    yield rf"\caption{{{_escaped(caption)}}}"
    yield rf"\label{{{label}}}"
    yield rf"\end{{{layout.environment}}}"


def _tabular(grid: Grid, layout: _Layout, width: int) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{''.join(_alignments(grid, layout, width))}}}"
    yield r"\toprule"
    yield from _header(grid.columns)
    yield r"\midrule"
    for row in grid.rows:
        yield _row(map(_cell, row))
        if any(map(_second_line, row)):
            yield _row(rf"{{\scriptsize {_number(line)}}}" if (line := _second_line(cell)) else "" for cell in row)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _alignments(grid: Grid, layout: _Layout, width: int) -> Iterator[str]:
    """Left or right; a column of longer texts is a paragraph."""
    for column, widest in zip(grid.columns, _widths(grid), strict=True):
        is_long = column.align == "left" and widest > width
        yield rf"p{{{width * layout.character:.0f}pt}}" if is_long else column.align[0]


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
    yield _row(_escaped(_title(column)) for column in columns)


def _title(column: Column) -> str:
    return (column.short if column.group else "") or column.title


def _cell(cell: Cell) -> str:
    """A cell, in bold if it is the best; its marks take no room, so that numbers stay aligned."""
    if isinstance(cell, Passage):
        return "".join(
            rf"\underline{{{_escaped(piece.text)}}}" if piece.flags else _escaped(piece.text) for piece in cell.pieces
        )
    bare = replace(cell, flags=cell.flags - MARKS.keys()) if isinstance(cell, Number) else cell
    text = _escaped(bare.text) if isinstance(bare, Text) else _number(_first_line(bare))
    is_best = Flag.BEST in cell.flags and bool(text)
    flags = cell.flags - {Flag.AMONG_BEST} if is_best else cell.flags
    marks = {Flag.AMONG_BEST: AMONG_BEST_MARK, Flag.NOT_SIGNIFICANT: "‡", **(MARKS if isinstance(cell, Number) else {})}
    shown = "".join(_escaped(mark) for flag, mark in marks.items() if flag in flags)
    marked = rf"\rlap{{\textsuperscript{{{shown}}}}}" if shown else ""
    return (rf"\textbf{{{text}}}" if is_best else text) + marked


def _first_line(cell: Cell) -> str:
    """A value without its interval."""
    return cell_text(_value_alone(cell))


def _second_line(cell: Cell) -> str:
    """The interval or standard deviation of a value."""
    if not isinstance(cell, Number):
        return ""
    bare = replace(cell, flags=frozenset(), n=None, bracketed=None)
    return cell_text(bare).removeprefix(cell_text(_value_alone(bare))).strip()


def _number(text: str) -> str:
    """With minus signs, without one before a zero, and with a dash between ranks."""
    unsigned = re.sub(r"[-+](?=0(\.0+)?(?![\d.]))", "", text)
    ranks = re.sub(r"(?<=\d)-(?=\d)", "–", unsigned)
    return _escaped(re.sub(r"(?<![\w.])-(?=[\d.])", "−", ranks))


def _flags(grid: Grid) -> set[Flag]:
    return {flag for row in grid.rows for cell in row for flag in cell.flags}


def _legend(grid: Grid) -> Iterator[str]:
    """What bold and marks mean, if there are any."""
    flags = _flags(grid)
    if Flag.BEST in flags:
        yield "Bold: best."
    if Flag.AMONG_BEST in flags:
        yield AMONG_BEST_NOTE


def _text_width(grid: Grid, title: str) -> int:
    """How wide columns of text may be, so that a page holds the labels and every other column."""
    labels = list(range(grid.labels))
    narrowest = [_with_columns(grid, [*labels, k]) for k in range(grid.labels, len(grid.columns))] or [grid]
    for width in _TEXT_WIDTHS:
        if all(_layout(part, width) is not None for part in narrowest):
            return width
    raise ConfigError(f"the table '{title}' is too wide for a page of a paper", hint="write another form: -o FILE.md")


def _parts(grid: Grid, width: int) -> Iterator[Grid]:
    """The grid in parts that fit a page: as many columns as its width holds, and rows as its height holds.

    Columns of a group stay together if they can, and every part has the labels.
    """
    for columns in _blocks(grid, width):
        part = _with_columns(grid, columns)
        rows: list[tuple[Cell, ...]] = []
        lines = 0
        for row in part.rows:
            height = _height(row, width)
            if rows and lines + height > _MAX_LINES:
                yield replace(part, rows=tuple(rows))
                rows, lines = [], 0
            rows.append(row)
            lines += height
        yield replace(part, rows=tuple(rows))


def _height(row: Sequence[Cell], width: int) -> int:
    """The lines of a row: a second one for intervals, and as many as the longest text takes."""
    texts = (_cell_width(cell) for cell in row if isinstance(cell, Passage | Text))
    return max(2 if any(map(_second_line, row)) else 1, math.ceil(max(texts, default=0) / width))


def _blocks(grid: Grid, width: int) -> list[list[int]]:
    """The columns of each part."""
    start = list(range(grid.labels))
    blocks = [start]
    for together in _together(grid, width):
        block = [*blocks[-1], *together]
        is_full = len(blocks[-1]) > grid.labels and _layout(_with_columns(grid, block), width) is None
        blocks[-1:] = [blocks[-1], [*start, *together]] if is_full else [block]
    return blocks


def _together(grid: Grid, width: int) -> Iterator[list[int]]:
    """The columns of each group, unless a page cannot hold it; others one by one."""
    start = range(grid.labels)
    for _, members in groupby(range(grid.labels, len(grid.columns)), key=lambda k: grid.columns[k].group or k):
        group = list(members)
        is_held = _layout(_with_columns(grid, [*start, *group]), width) is not None
        yield from [group] if is_held else ([k] for k in group)


def _with_columns(grid: Grid, places: Sequence[int]) -> Grid:
    rows = tuple(tuple(row[k] for k in places) for row in grid.rows)
    return replace(grid, columns=tuple(grid.columns[k] for k in places), rows=rows, series=())


def _layout(grid: Grid, text_width: int) -> _Layout | None:
    """The first one that is wide enough."""
    characters, count = _characters(grid, text_width), len(grid.columns)
    return next((each for each in _LAYOUTS if each.character * characters + each.gap * count <= each.width), None)


def _characters(grid: Grid, text_width: int) -> float:
    """The width of all columns; a group may be wider than what is below it."""
    columns = zip(grid.columns, _widths(grid), strict=True)
    widths = [min(width, text_width) if column.align == "left" else width for column, width in columns]
    total = 0.0
    for group, members in groupby(range(len(widths)), key=lambda k: grid.columns[k].group):
        total += max(_width(group), sum(widths[k] for k in members))
    return total


def _widths(grid: Grid) -> list[float]:
    """How wide each column is, if no text is broken."""
    cells = zip(*grid.rows, strict=True) if grid.rows else [()] * len(grid.columns)
    return [
        max(_width(_title(column)), *map(_cell_width, below), 0)
        for column, below in zip(grid.columns, cells, strict=True)
    ]


def _cell_width(cell: Cell) -> float:
    shown = cell_text(cell) if isinstance(cell, Passage | Text) else _first_line(cell)
    return max(_width(shown), _SECOND_LINE * _width(_second_line(cell)))


def _width(text: str) -> float:
    """In characters as wide as a digit."""
    return sum(
        _WIDE if each.isupper() or each in "mw%" else _NARROW if each in "fijlrt.,:()[] -" else 1 for each in text
    )


def _row(cells: Iterable[str]) -> str:
    """A row that starts with a bracket or asterisk would be read as an argument of the row before."""
    row = " & ".join(cells) + r" \\"
    return f"{{{row[0]}}}{row[1:]}" if row.startswith(("[", "*")) else row


def _escaped(text: str) -> str:
    parts = re.split(r"(<=|>=|.)", text.replace("\n", " "))
    return "".join(_ESCAPES.get(part, part) for part in parts)


def _slug(title: str) -> str:
    """A short label of whole words, without what the title has in brackets."""
    slug = re.sub(r"[^a-z0-9]+", "-", title.partition(" (")[0].casefold()).strip("-") or "table"
    return slug if len(slug) <= _MAX_LABEL else slug[: _MAX_LABEL + 1].rpartition("-")[0] or slug[:_MAX_LABEL]


def _comment_lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"% {' '.join(line.splitlines())}" for line in lines)


def _comments(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in _comment_lines(lines))
