"""Names that differ only in case, spaces or Unicode form."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from assay.types.note import Note, NoteKind, listed

__all__ = ["caseless", "similar_names"]


def caseless(name: str) -> str:
    """The same text for all names that differ only in case or Unicode form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def similar_names(places: Mapping[str, Sequence[str]]) -> tuple[Note, ...]:
    """Notes on names that are probably the same, with the first places where each occurs."""
    alike: dict[str, list[str]] = {}
    for name in places:
        alike.setdefault(caseless(" ".join(name.split())), []).append(name)
    notes = []
    for names in alike.values():
        if len(names) > 1:
            text = f"{_shown(names, places)} differ only in case, spaces or Unicode form: probably the same"
            notes.append(Note(NoteKind.SUSPECT, text, count=len(names)))
    return tuple(notes)


def _shown(names: list[str], places: Mapping[str, Sequence[str]]) -> str:
    """The names with their places; the places once if all names have the same, as in one file."""
    where = [listed(dict.fromkeys(places[name])) for name in names]
    if len(set(where)) == 1:
        return " and ".join(f"'{name}'" for name in names) + (f" ({where[0]})" if where[0] else "")
    return " and ".join(f"'{name}' ({place})" for name, place in zip(names, where, strict=True))
