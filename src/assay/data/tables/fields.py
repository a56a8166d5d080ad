"""The fields of one line of comma-separated values."""

from __future__ import annotations

import csv

from assay.errors import InputError

__all__ = ["MAX_FIELD", "csv_fields"]

MAX_FIELD = 2**31 - 1
"""Characters. The default limit of the csv module, 128 Ki, is too small for texts."""


def csv_fields(text: str, *, path: str, line: int) -> list[str]:
    """The fields of a line. No field continues on the next line."""
    if '"' not in text:
        return text.split(",")
    csv.field_size_limit(MAX_FIELD)
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:
        raise InputError(f"invalid CSV: {error}", path=path, line=line) from None
