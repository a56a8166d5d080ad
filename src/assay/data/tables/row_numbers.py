"""Columns that number the rows of a table, such as the index of a data frame.

A table that was sorted or shuffled before it was written tells the order of its segments only there. So rows that are
numbered 0 to n-1 or 1 to n, in the whole table or for each system, are put into that order; and where rows were left
out, as by a filter, the numbers are those of the segments. Any other numbers are refused: without them, the scores of
one segment could be taken for those of another.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assay.data.tables.document_ids import parse_document_id
from assay.data.tables.headers import FIELD_OF_ALIAS, word_of
from assay.errors import InputError, option_name, printable
from assay.types import Note, NoteKind

__all__ = ["NumberedRows", "are_in_order", "may_number_rows", "numbered_rows"]

_Record = tuple[int, Sequence[object]]

_ROW_NUMBER = re.compile(
    r"index|idx|#|n[or]\.?|__index_level_0__|unnamed|(row|line)(_?(id|idx|index|no|nr|num|number))?"
)
_GROUPS = ("dataset", "lp", "system", "document")  # within which rows may be numbered
_WHOLE = re.compile(r"[0-9]{1,15}(\.0+)?")


@dataclass(frozen=True, slots=True)
class NumberedRows:
    """The records in the order of their numbers, and what was done."""

    records: Iterable[_Record]
    segment: int | None = None
    """The column that has the numbers of the segments, if it is one of row numbers."""
    order: str | None = None
    """The column whose numbers gave the order, if the file had another."""
    notes: tuple[Note, ...] = ()


def numbered_rows(names: Sequence[str], headers: Sequence[str], records: Iterable[_Record], path: str) -> NumberedRows:
    """The records in the order of the segments, as a column of row numbers tells it.

    `headers` are the names that the columns `names` should have had (see `roles`). A column that says the segment
    counts more than numbers of rows, and so do the name of a system if each has one row, and a document that names it.
    """
    fields = {FIELD_OF_ALIAS.get(word_of(header)): place for place, header in enumerate(headers) if ":" not in header}
    column = _column_of_numbers(names, headers)
    if column is None or "segment" in fields:
        return NumberedRows(records)
    rows = list(records)
    end = len(rows)
    while end and all(value in (None, "") for value in rows[end - 1][1]):
        end -= 1
    rows, empty = rows[:end], rows[end:]
    document = rows[0][1][fields["document"]] if rows and "document" in fields else None
    if parse_document_id(str(document)) is not None:
        return NumberedRows([*rows, *empty])
    groups = _groups([record for _, record in rows], [fields[name] for name in _GROUPS if name in fields])
    numbers = _numbers(rows, column, _Place(names[column], path))
    if numbers is None or ("system" in fields and len(set(groups)) == len(groups)):
        return NumberedRows([*rows, *empty])
    found = _in_order(rows, numbers, groups, column, _Place(names[column], path))
    return replace(found, records=[*found.records, *empty])


def may_number_rows(name: str, position: int) -> bool:
    """Whether a column of this name and position may have the numbers of rows; the index of a table has no name."""
    return _ROW_NUMBER.fullmatch(word_of(name)) is not None or (position == 0 and not name.strip())


def are_in_order(numbers: Sequence[int]) -> bool:
    """Whether these are 0 to n-1 or 1 to n in order: rows without them would be the same."""
    return list(numbers) in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


@dataclass(frozen=True, slots=True)
class _Place:
    """A column of a file, for messages."""

    name: str
    path: str

    def __str__(self) -> str:
        return f"the column '{printable(self.name)}'" if self.name.strip() else "the first column"

    def refusal(self, reason: str, line: int | None = None) -> InputError:
        """The error that the numbers cannot be those of rows, and what to do."""
        said = option_name("columns", f"segment={self.name}")
        remedy = f"say so: {said}" if self.name.strip() else "call it segment"
        hint = f"if it has the numbers of the segments, {remedy}; otherwise sort the rows by segment and remove it"
        return InputError(f"{self} seems to number the rows, but {reason}", path=self.path, line=line, hint=hint)


def _column_of_numbers(names: Sequence[str], headers: Sequence[str]) -> int | None:
    """The first column that is called a number of rows and has no role, else a first column without a name."""
    found = [i for i, name in enumerate(names) if name == headers[i] and may_number_rows(name, i)]
    return next((i for i in found if names[i].strip()), next(iter(found), None))


def _numbers(rows: Sequence[_Record], column: int, place: _Place) -> list[int] | None:
    """The values of a column as whole numbers; None if they clearly are something else, such as texts."""
    texts = [str(record[column]).strip() for _, record in rows]
    if not any(map(_WHOLE.fullmatch, texts)):
        return None
    for (line, record), text in zip(rows, texts, strict=True):
        if not _WHOLE.fullmatch(text):
            shown = "nothing" if record[column] in (None, "") else f"'{printable(text[:40])}'"
            raise place.refusal(f"this row has {shown}", line)
    return [int(text.partition(".")[0]) for text in texts]


def _groups(records: Sequence[Sequence[object]], labels: Sequence[int]) -> list[int]:
    """The number of the group of each record, in order of appearance."""
    found: dict[tuple[Hashable, ...], int] = {}
    return [found.setdefault(tuple(str(record[i]) for i in labels), len(found)) for record in records]


def _in_order(
    rows: Sequence[_Record], numbers: Sequence[int], groups: Sequence[int], column: int, place: _Place
) -> NumberedRows:
    within: dict[int, list[int]] = {}
    for group, number in zip(groups, numbers, strict=True):
        within.setdefault(group, []).append(number)
    if are_in_order(numbers) or all(map(are_in_order, within.values())):
        return NumberedRows(rows)
    if are_in_order(sorted(numbers)):
        return _sorted(rows, [(0, number) for number in numbers], place)
    if all(are_in_order(sorted(own)) for own in within.values()):
        return _sorted(rows, list(zip(groups, numbers, strict=True)), place)
    for (earlier, later), (line, _) in zip(pairwise(numbers), rows[1:], strict=True):
        if later <= earlier:
            raise place.refusal(f"{later:,} follows {earlier:,}, and they are not 1 to {len(rows):,} either", line)
    if len(within) > 1:
        raise place.refusal(f"some are missing between {numbers[0]:,} and {numbers[-1]:,}")
    text = f"{place} numbers the segments: {len(numbers):,} from {numbers[0]:,} to {numbers[-1]:,}"
    return NumberedRows(rows, column, notes=(Note(NoteKind.PROVENANCE, text, place.path),))


def _sorted(rows: Sequence[_Record], keys: Sequence[tuple[int, int]], place: _Place) -> NumberedRows:
    order = sorted(range(len(rows)), key=keys.__getitem__)
    note = Note(NoteKind.CHANGED, f"rows put into the order of the numbers in {place}", place.path)
    return NumberedRows([rows[i] for i in order], order=place.name, notes=(note,))
