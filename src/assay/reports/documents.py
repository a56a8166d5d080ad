"""What a report says, before it takes a form.

A document has four views of a result: sections of grids for people (table, Markdown, LaTeX), a page of blocks (HTML),
flat rows for programs (TSV, CSV, JSON lines, workbooks, Parquet), and one tree (JSON). Each is built when a form asks
for it. Grids hold
values with format hints; forms write them. LaTeX has the sections of a paper where these differ from what a terminal
shows: one table of all that belongs side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from assay.reports.cells import Cell
from assay.results import Result
from assay.results.columns import ResultColumn, Shown
from assay.types import Note
from assay.words import Verdict, verdict

if TYPE_CHECKING:
    from assay.reports.blocks import Page

__all__ = [
    "Caption",
    "Column",
    "Document",
    "Grid",
    "Section",
    "Series",
    "TitledCells",
    "are_columns_of_rows",
    "columns",
    "grouped",
    "named",
]


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column, and how its cells are aligned.

    Forms with two lines of titles write `group` once above neighbouring columns that share it, and `short` below.
    """

    title: str
    align: Literal["left", "right"] = "right"
    group: str = ""
    short: str = ""
    label: str = ""
    """The title as pages and papers have it, if that differs: a terminal has the names that options take."""
    group_note: str = ""
    """What a page writes beside the group: which scores are better."""
    is_lower_better: bool = False
    role: Literal["", "first", "second"] = ""
    """Which system of a pair the column is of."""
    lane: str = ""
    """A page draws the intervals of neighbouring columns with the same lane beside them, on one scale."""
    help: str = ""
    """What the values are, in a sentence."""
    name: str = ""
    """That of the column of the result, by which pages find it; empty: of no such column."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text below a grid. Every `{}` in the template stands for one of the values.

    A paper has no room for all of them: what is said of intervals stands below the table that shows them, and a remark,
    which one can do without, is a comment. Other forms show every line.
    """

    template: str
    values: tuple[Cell, ...] = ()
    role: Literal["explanation", "intervals", "remark"] = "explanation"


@dataclass(frozen=True, slots=True)
class Series:
    """The points of a curve, for charts. NaN in `y`: undefined. `decimals`: as many as are worth showing."""

    label: str
    x: tuple[str, ...]
    y: tuple[float, ...]
    decimals: int = 3


_NOWHERE = Shown(0)
TitledCells: TypeAlias = tuple[Column | str, Iterable[Cell]]
"""A column with its cells from top to bottom. A title alone is that of a right-aligned column."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under columns. Left-aligned columns come first and label the rows.

    If there are `series`, there is one for each row.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    captions: tuple[Caption, ...] = ()
    series: tuple[Series, ...] = ()
    pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """By row and column: the number of the pair of systems that a page describes when the cell is chosen."""
    scales: tuple[str, ...] = ()
    """For each row, the scale that its lanes are drawn on; without any, all rows share one."""

    @classmethod
    def of(
        cls,
        columns: Iterable[TitledCells],
        captions: Iterable[Caption] = (),
        series: Iterable[Series] = (),
    ) -> Grid:
        """A grid from its columns, so that the title of each and its cells stand in one place."""
        found = [(_titled(title), cells) for title, cells in columns]
        header, rows = (column for column, _ in found), zip(*(cells for _, cells in found), strict=True)
        return cls(tuple(header), tuple(rows), tuple(captions), tuple(series))

    @property
    def labels(self) -> int:
        """Number of columns that label the rows."""
        return sum(column.align == "left" for column in self.columns)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, grids that belong together, and the signatures that reproduce them.

    `short_signatures` name only what is not the default; none: the full ones are used everywhere. `label` is the title
    as pages and papers have it, if that differs. A paper prints the grids of a section `is_detail` after all others,
    with intervals, and leaves out what does not fit a page.
    """

    grids: tuple[Grid, ...] = ()
    title: str = ""
    signatures: tuple[str, ...] = ()
    short_signatures: tuple[str, ...] = ()
    label: str = ""
    is_detail: bool = False


class Document:
    """A result, ready to be written in any form."""

    def __init__(
        self,
        sections: Callable[[], Iterable[Section]],
        columns: tuple[ResultColumn, ...],
        rows: Callable[[], Iterable[dict[str, Any]]],
        tree: Callable[[], dict[str, Any]],
        *,
        lists: Shown = _NOWHERE,
        name: str = "",
        notes: tuple[Note, ...] = (),
        sheet: str = "",
        paper: Callable[[], Iterable[Section]] | None = None,
        verdict: Callable[[], Verdict] = Verdict,
        opening: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """`lists`: the forms for people whose tables list the declared columns; to declare one for others is an error.

        A paper of its own lists columns that are declared for papers; without one, a paper has the tables.
        """
        for column in columns:
            has_tables = paper is None and Shown.TABLE in column.shown
            _check_is_listed(column, lists | Shown.PAPER if has_tables else lists)
        self._page: Callable[[bool], Page] | None = None
        self.notes = notes
        self.sheet = sheet
        """The column whose values name the sheets of a workbook; none: one sheet."""
        self._columns = [column for column in columns if Shown.FILE in column.shown]
        self._sections, self._paper = sections, paper
        self._rows = rows
        self._tree = tree
        self._verdict, self._opening = verdict, opening
        self.name = name
        """What kind of result it is, in words, for captions and labels; empty: the titles of the sections say it."""

    @classmethod
    def of(
        cls,
        result: Result,
        sections: Callable[[], Iterable[Section]],
        *,
        lists: Shown = _NOWHERE,
        sheet: str = "",
        name: str | None = None,
        paper: Callable[[], Iterable[Section]] | None = None,
        opening: Callable[[], tuple[str, ...]] = tuple,
    ) -> Document:
        """A document with the rows, the tree and the notes of a result; by default its name is that of the type."""
        return cls(
            sections,
            result.columns,
            result.rows,
            result.to_dict,
            lists=lists,
            name=_in_words(type(result).__name__) if name is None else name,
            notes=result.notes,
            sheet=sheet,
            paper=paper,
            verdict=lambda: verdict((result,)),
            opening=opening,
        )

    @cached_property
    def verdict(self) -> Verdict:
        """What the result says, in words: at the top of a page, and in JSON."""
        return self._verdict()

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The sentences that forms of text have above all grids, if those are the answer, and not the grids."""
        return self._opening()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """For people."""
        return tuple(self._sections())

    @cached_property
    def paper(self) -> tuple[Section, ...]:
        """The tables as a paper prints them, with titles that begin their captions; the sections, if they serve."""
        return tuple(named(self.sections, self.name) if self._paper is None else self._paper())

    def with_page(self, build: Callable[[bool], Page]) -> Document:
        """The same document, with a function that builds its page, with or without texts."""
        paged = copy(self)
        paged._page = build
        return paged

    def page(self, texts: bool = True) -> Page:
        """The page of the result for people. `texts`: with source, references and outputs, if the result has them."""
        if self._page is None:
            raise LookupError("a page is of a result: make the document with assay.reports.document")
        return self._page(texts)

    @property
    def title(self) -> str:
        """What it is of, for a heading."""
        return self.name or self.sections[0].title

    @cached_property
    def columns(self) -> Mapping[str, type]:
        """Names of the columns of `rows`, and the types of their values (a value may also be None)."""
        return {
            column.name: column.type
            for column in self._columns
            if not column.optional or any(row[column.name] is not None for row in self._all_rows)
        }

    @cached_property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """For programs: flat rows, None for a missing value."""
        if len(self.columns) == len(self._columns):
            return self._all_rows
        return tuple({name: row[name] for name in self.columns} for row in self._all_rows)

    @cached_property
    def _all_rows(self) -> tuple[dict[str, Any], ...]:
        return tuple(self._rows())

    @cached_property
    def tree(self) -> dict[str, Any]:
        """For JSON, without NaN."""
        return self._tree() | ({"verdict": list(self.verdict.sentences)} if self.verdict.sentences else {})


def _check_is_listed(column: ResultColumn, lists: Shown) -> None:
    """Raise for a column that is declared for tables that have no place for it, such as one row for each system."""
    forms = [form.name for form in Shown if form in column.shown & ~Shown.FILE & ~lists]
    if forms:
        missing = " | ".join(f"Shown.{form}" for form in forms)
        raise ValueError(f"column '{column.name}': no table lists the columns of this result; leave out {missing}")


def named(sections: Iterable[Section], name: str, *, is_detail: bool = False) -> Iterator[Section]:
    """Sections for a paper, whose titles say what kind of result they are of; those without grids are as they were."""
    for section in sections:
        title = ": ".join(filter(None, (name, section.label or section.title)))
        yield (
            replace(section, title=title, label="", is_detail=is_detail or section.is_detail)
            if section.grids
            else section
        )


def _in_words(type_name: str) -> str:
    """MetaEvaluation: Meta evaluation."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: f" {match[0].lower()}", type_name)


def grouped(values: TitledCells, beside: Iterable[TitledCells]) -> Iterator[TitledCells]:
    """A column of values and those that say more about them, as one group; the column alone, if there are none."""
    title, cells = values
    column, others = _titled(title), list(beside)
    if not others:
        yield column, cells
        return
    group = column.group or column.title
    yield replace(column, group=group, short=column.short or "value"), cells
    for other, more in others:
        yield replace(_titled(other), group=group), more


def _titled(title: Column | str) -> Column:
    return Column(title) if isinstance(title, str) else title


def columns(titles: Iterable[str], *, labels: int = 1) -> tuple[Column, ...]:
    """Columns with these titles, the first `labels` of them left-aligned."""
    return tuple(Column(title, "left" if k < labels else "right") for k, title in enumerate(titles))


def are_columns_of_rows(names: Iterable[str]) -> bool:
    """Whether these are the columns of the rows of a result in their order, all of them but for optional ones."""
    from assay import results

    found = list(names)
    kinds = (getattr(results, name) for name in dir(results))
    return any(
        [column.name for column in kind.file_columns() if column.name in found or not column.optional] == found
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, Result) and hasattr(kind, "columns")
    )
