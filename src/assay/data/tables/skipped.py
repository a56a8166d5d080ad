"""Faulty rows of a file whose other rows are sound: they are skipped, counted and noted.

A reader knows the number of rows, skips what it cannot parse, and adds the notes at the end:

    skipped = SkippedRows(shown_path(path), rows=len(lines))
    for line, text in enumerate(lines, 1):
        try:
            rows.append(parse(text))
        except InputError as error:
            skipped.add_error(error, line)  # or .add(line, "the score is not a number")
    notes += skipped.notes()

Up to 1 % of the rows may be faulty; in a file of fewer than 500 rows up to five, but never more than 10 %. If there are
more, the first error is raised; so is a segment 0, because the file then counts from 0, and all its rows are shifted.
Readers do not know about `strict`: `refuse_lenient` checks their notes afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.data.tables.numbers import ZeroSegmentError
from assay.data.text_files import is_cut_off
from assay.errors import InputError
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["LENIENT", "SkippedRows", "refuse_lenient"]

LENIENT = (NoteKind.SKIPPED, NoteKind.JOINED)
"""What strict reading refuses."""

_MAX_SHARE = 0.01
_MAX_OF_FEW = 5  # faulty rows of a small file, …
_MAX_SHARE_OF_FEW = 0.1  # … but no larger share


@dataclass(slots=True)
class SkippedRows:
    """Counts the faulty rows of a file and remembers the first. `rows` is the number of all rows, if it is known."""

    path: str
    rows: int | None = None
    count: int = 0
    _first: InputError | None = None
    _reason: str = ""
    _last: int = 0

    def add(self, line: int, reason: str) -> None:
        """Skip the row in this line. An `InputError` if there are too many."""
        self.add_error(InputError(reason, path=self.path, line=line), line)

    def add_error(self, error: InputError, line: int) -> None:
        """Skip the row in this line, which this error is about. The first error is raised if there are too many.

        A segment 0 is never skipped.
        """
        if isinstance(error, ZeroSegmentError):
            raise ZeroSegmentError(error.name, path=self.path, line=line)
        self.count += 1
        self._last = line
        if self._first is None:
            self._reason = error.problem
            self._first = type(error)(error.problem, path=self.path, line=line, hint=error.hint)
        if self.rows is not None:
            self._check(self.rows, "at least ")

    def notes(self, total_rows: int | None = None) -> tuple[Note, ...]:
        """A note on the skipped rows; none if there are none. `total_rows` is needed if `rows` is not known."""
        if self._first is None:
            return ()
        total = self.rows if total_rows is None else total_rows
        self._check(self.count if total is None else total)
        text = f"{plural(self.count, 'faulty row')} skipped{'; the first' if self.count > 1 else ''}: {self._reason}"
        if is_cut_off(self.path, self._last):
            text += "; no line end follows the last row: was the file cut off?"
        return (Note(NoteKind.SKIPPED, text, self.path, self.count, "warning", self._first.line),)

    def _check(self, rows: int, amount: str = "") -> None:
        """Raise if there are too many; `amount` says that reading stops here, so that later rows are not counted."""
        if self._first is None or self.count <= min(max(_MAX_OF_FEW, _MAX_SHARE * rows), _MAX_SHARE_OF_FEW * rows):
            return
        if self.count > 1:
            too_many = f"{amount}{self.count:,} of {plural(rows, 'row')} are faulty, too many to skip"
            self._first.hint = "; ".join(filter(None, (self._first.hint, too_many)))
        raise self._first


def refuse_lenient(campaigns: Iterable[Campaign]) -> None:
    """Raise an `InputError` for the first note on what only lenient reading accepts."""
    for campaign in campaigns:
        for note in campaign.notes:
            if note.kind in LENIENT:
                raise InputError(
                    note.text,
                    path=note.where or None,
                    line=note.line,
                    hint="correct the file, or read it without strict",
                )
