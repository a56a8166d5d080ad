"""The fields of lines with separators, and how many there may be: a few bytes must not take any amount of memory."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from assay.errors import InputError
from assay.types.note import plural

__all__ = ["MAX_COLUMNS", "MAX_FIELD", "check_fields", "check_width", "csv_fields"]

MAX_COLUMNS = 100_000
"""Far more than any table of the field has, and few enough for any machine."""
_FREE_FIELDS = 5_000_000  # beyond so many, a field needs two characters on average, with its separator

MAX_FIELD = 2**31 - 1
"""Characters. The default limit of the csv module, 128 Ki, is too small for texts."""


def check_fields(lines: Sequence[str], separator: str, *, path: str) -> None:
    """Refuse a table with too many columns, or with almost nothing but separators, before its lines are split."""
    for number, line in enumerate(lines, 1):
        if len(line) >= MAX_COLUMNS:  # else it has too few characters for too many columns
            check_width(line, separator, path=path, line=number)
    characters = sum(map(len, lines)) + len(lines)
    if characters <= _FREE_FIELDS:
        return
    fields = sum(line.count(separator) for line in lines) + len(lines)
    if fields > _FREE_FIELDS and 2 * fields > characters:
        raise InputError(f"almost empty: {plural(fields, 'field')} in {plural(len(lines), 'line')}", path=path)


def check_width(text: str, separator: str, *, path: str, line: int) -> int:
    """The number of fields of a line, if it is not too large. Separators in quotation marks count, too."""
    count = text.count(separator) + 1
    if count > MAX_COLUMNS and count > len(text) // 2:
        hint = "is this a table, and are its lines complete?"
        raise InputError(f"{count:,} fields; the limit is {MAX_COLUMNS:,}", path=path, line=line, hint=hint)
    return count


def csv_fields(text: str, *, path: str, line: int) -> list[str]:
    """The fields of a line. No field continues on the next line."""
    check_width(text, ",", path=path, line=line)
    if '"' not in text:
        return text.split(",")
    csv.field_size_limit(MAX_FIELD)
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:
        raise InputError(f"invalid CSV: {error}", path=path, line=line) from None
