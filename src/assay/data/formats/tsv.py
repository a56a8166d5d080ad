"""Tab-separated values with a header that names the columns.

Cells are read as they are, except that the quotation marks of spreadsheets around cells are removed and noted
(`assay.data.tables.quoting`). Cells are written without quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import NO
from assay.data.formats import TableFormat, data_format, may_have_suffix
from assay.data.tables.long_table import delimited, encoded, long_table, write_packed
from assay.data.tables.quoting import CellReader, Quotes, cell_reader, header_cells, is_enclosed, open_cell
from assay.data.tables.schema import campaigns_of_table, certainty_of
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign
from assay.types.note import plural

__all__ = ["Tsv"]


@data_format("tsv")
@dataclass(frozen=True)
class Tsv(TableFormat):
    """One row per line; an empty cell is an empty text, a missing label or a missing score."""

    quotes: Quotes = "auto"
    """Whether to remove quotation marks around cells; auto: if a spreadsheet wrote them."""

    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> int:
        if not may_have_suffix(path, self.suffixes):
            return NO
        lines = [line.removesuffix("\r") for line in (*head.removeprefix("\ufeff").split("\n", 2), "")]
        return certainty_of(header_cells(lines[0]), lines[1].split("\t"))

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("no header", path=shown_path(path))
        shown = shown_path(path)
        cells = cell_reader(lines, path=shown, notes=notes, quotes=self.quotes, override="tsv:quotes")
        names = cells(1, lines[0])
        records = _records(lines, cells, names, shown)
        return campaigns_of_table(
            path, names, records, notes=notes, header_line=1, has_gaps=False, columns=self.columns, metric=self.metric
        )

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        text = delimited(long_table(campaigns), "\t", str, _flaw)
        if is_enclosed(text.split("\n")):
            message = "the quotation marks in the texts look like a spreadsheet's and would be removed when reading"
            raise InputError(message, hint="write JSON lines instead: FILE.jsonl")
        write_packed(path, encoded(text))


def _records(
    lines: Sequence[str], cells: CellReader, names: Sequence[str], path: str
) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines[1:], 2):
        record = cells(number, line)
        if len(record) != len(names):
            count = plural(len(record), "field") if line else "an empty line"
            message = f"{count}, but the header has {len(names):,}"
            if (position := open_cell(line)) is not None:
                message += f"; field {position + 1} starts with a quotation mark that is not closed in this line"
            hint = "texts cannot contain tabs or line ends here; CSV can hold both"
            raise InputError(message, path=path, line=number, hint=hint)
        yield number, record


def _flaw(text: str) -> str | None:
    forbidden = next((name for char, name in _FORBIDDEN.items() if char in text), None)
    if forbidden is None and text.endswith("\r"):
        forbidden = "a carriage return at its end"
    return None if forbidden is None else f"contains {forbidden}, which TSV cannot hold"


_FORBIDDEN = {"\t": "a tab", "\n": "a line end", "\0": "a NUL"}
