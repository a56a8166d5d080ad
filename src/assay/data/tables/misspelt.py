"""Names of columns that are probably misspellings of known ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from assay.errors import InputError, printable

__all__ = ["check_spelling", "misspelt"]

_SIMILAR = 0.85  # one letter of `system` or `reference` missing, added or exchanged
_SHORTEST = 4  # letters; `lp` and `id` resemble too much


def misspelt(unknown: Iterable[str], absent: Iterable[str]) -> dict[str, str]:
    """The unknown names that are almost one of the known names that a table does not have."""
    known = [name for name in absent if len(name) >= _SHORTEST]
    close = {
        name: difflib.get_close_matches(name.strip().casefold(), known, n=1, cutoff=_SIMILAR)
        for name in unknown
        if not name[-1:].isdecimal()  # `source1` and `source2` are meant so
    }
    return {name: found[0] for name, found in close.items() if found}


def check_spelling(unknown: Iterable[str], absent: Iterable[str], *, path: str, line: int | None) -> None:
    """Refuse a table whose column would be ignored because its name is misspelt."""
    for name, known in misspelt(unknown, absent).items():
        hint = f"did you mean '{known}'? Rename the column, or remove it"
        raise InputError(f"unknown column '{printable(name)}'", path=path, line=line, hint=hint)
