"""Tab-separated values with a header that names the columns.

Every cell is as it stands; but where cells are enclosed in quotation marks as a spreadsheet writes them, these are
taken off, and that is noted (`assay.data.quoting`). Nothing is enclosed when written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.formats import NO, Format, form, has_suffix
from assay.data.longtable import delimited, encoded, long_table, write_packed
from assay.data.named import campaigns_of_table, certainty_of
from assay.data.quoting import CellReader, Quotes, cell_reader, header_cells, is_enclosed, open_cell
from assay.data.text import read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign

__all__ = ["Tsv"]


@form("tsv")
@dataclass(frozen=True)
class Tsv(Format):
    """A row a line; an empty cell is an empty text, or no label, or no score."""

    quotes: Quotes = "auto"
    """Whether marks around cells are no part of them; auto: as a spreadsheet would have written them."""

    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> int:
        if not has_suffix(path, self.suffixes):
            return NO
        return certainty_of(header_cells(head.partition("\n")[0].removeprefix("\ufeff").removesuffix("\r")))

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("there is no header", path=shown_path(path))
        shown = shown_path(path)
        cells = cell_reader(lines, path=shown, notes=notes, quotes=self.quotes, option="--form tsv:quotes")
        names = cells(1, lines[0])
        records = _records(lines, cells, names, shown)
        return campaigns_of_table(path, names, records, notes=notes, header_line=1, has_gaps=False)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        text = delimited(long_table(campaigns), "\t", str, _flaw)
        if is_enclosed(text.split("\n")):
            what = "all quotation marks are where a spreadsheet would put them around cells, and would not be read back"
            raise InputError(what, hint="write it as JSON lines: FILE.jsonl")
        write_packed(path, encoded(text))


def _records(
    lines: Sequence[str], cells: CellReader, names: Sequence[str], path: str
) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines[1:], 2):
        found = cells(number, line)
        if len(found) != len(names):
            why = f"{len(found):,} fields, but the header has {len(names):,}"
            if (place := open_cell(line)) is not None:
                why += f"; field {place + 1} begins with a quote that is not closed in this line"
            hint = "a text cannot hold a tab or line end here; CSV can hold tabs, JSON lines both"
            raise InputError(why, path=path, line=number, hint=hint)
        yield number, found


def _flaw(text: str) -> str | None:
    found = next((name for char, name in _FORBIDDEN.items() if char in text), None)
    if found is None and text.endswith("\r"):
        found = "a carriage return at its end"
    return None if found is None else f"has {found}, which TSV cannot hold"


_FORBIDDEN = {"\t": "a tab", "\n": "a line end", "\0": "a NUL"}
