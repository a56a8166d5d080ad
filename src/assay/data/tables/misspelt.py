"""Names of columns that are probably misspellings of known ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from assay.errors import InputError, printable

__all__ = ["check_spelling", "misspelt"]

_SIMILAR = 0.85  # one letter of `system` or `reference` missing, added or replaced
_SHORTEST = 4  # letters; `lp` and `id` resemble too much


def misspelt(unknown: Iterable[str], absent: Iterable[str], *, shortest: int = _SHORTEST) -> dict[str, str]:
    """The unknown names that are almost one of the known names that a table does not have."""
    known = [name for name in absent if len(name) >= shortest]
    close = {
        name: _most_similar(name.strip().casefold(), known)
        for name in unknown
        if not name[-1:].isdecimal()  # `source1` and `source2` are meant so
    }
    return {name: found for name, found in close.items() if found is not None}


def _most_similar(name: str, known: list[str]) -> str | None:
    swapped = (other for other in known if sorted(other) == sorted(name))  # `rtaer` for `rater`
    similar = difflib.get_close_matches(name, known, n=1, cutoff=_SIMILAR)
    return next(swapped, None) or next(iter(similar), None)


def check_spelling(
    unknown: Iterable[str], absent: Iterable[str], *, path: str, line: int | None, noun: str = "column"
) -> None:
    """Refuse a table whose column would be ignored because its name is misspelt."""
    for name, known in misspelt(unknown, absent).items():
        hint = f"did you mean '{known}'? Rename the {noun}, or remove it"
        raise InputError(f"unknown {noun} '{printable(name)}'", path=path, line=line, hint=hint)
