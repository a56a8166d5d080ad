"""Cells of several lines, as spreadsheets have them. A segment is one line, so they become one.

Line ends and the white space around them become one space; at the start and end of a cell they are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.types import Note, NoteKind
from assay.types.note import plural

__all__ = ["JoinedLines"]

_BREAK = re.compile(r"(?<!\s)\s*[\r\n]\s*")


@dataclass(slots=True)
class JoinedLines:
    """Joins the lines of cells, and counts such cells."""

    path: str
    count: int = 0
    breaks: int = 0
    first: int = 0

    def join(self, cell: str, line: int) -> str:
        """A cell as one line; `line` is where its row starts."""
        if "\n" not in cell:
            return cell
        self.first = self.first or line
        self.count += 1
        self.breaks += cell.count("\n")
        return _BREAK.sub(" ", cell.strip("\r\n"))

    def notes(self) -> Iterator[Note]:
        """A note on the joined cells; reading strictly refuses them."""
        if self.count:
            cells = f"{plural(self.count, 'cell')} with {plural(self.breaks, 'line break')}, first in line {self.first}"
            text = f"{cells}: the lines of a cell are joined by a space"
            yield Note(NoteKind.JOINED, text, self.path, self.count)
