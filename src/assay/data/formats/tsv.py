"""Tab-separated values with a header that names the columns. Nothing is quoted or escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.formats import NO, Format, form, has_suffix
from assay.data.longtable import delimited, encoded, long_table, write_packed
from assay.data.named import campaigns_of_table, certainty_of
from assay.data.text import read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign

__all__ = ["Tsv"]


@form("tsv")
@dataclass(frozen=True)
class Tsv(Format):
    """A row a line; an empty cell is an empty text, or no label, or no score."""

    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> int:
        if not has_suffix(path, self.suffixes):
            return NO
        return certainty_of(head.partition("\n")[0].removeprefix("\ufeff").removesuffix("\r").split("\t"))

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        if not lines:
            raise EmptyInputError("there is no header", path=shown_path(path))
        names = lines[0].split("\t")
        records = _records(lines, len(names), shown_path(path))
        return campaigns_of_table(path, names, records, notes=notes, header_line=1, has_gaps=False)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        text = delimited(long_table(campaigns), "\t", str, _flaw)
        write_packed(path, encoded(text))


def _records(lines: Sequence[str], width: int, path: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != width:
            why = f"{len(cells):,} fields, but the header has {width:,}"
            hint = "a text cannot hold a tab or line end here; CSV can hold tabs, JSON lines both"
            raise InputError(why, path=path, line=number, hint=hint)
        yield number, cells


def _flaw(text: str) -> str | None:
    found = next((name for char, name in _FORBIDDEN.items() if char in text), None)
    if found is None and text.endswith("\r"):
        found = "a carriage return at its end"
    return None if found is None else f"has {found}, which TSV cannot hold"


_FORBIDDEN = {"\t": "a tab", "\n": "a line end", "\0": "a NUL"}
