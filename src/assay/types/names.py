"""Names that are different, and hard to tell apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["caseless", "lookalikes"]

_SHOWN = 3


def caseless(name: str) -> str:
    """What names have in common that differ only in case or in how Unicode writes their letters."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def lookalikes(places: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names that differ only so and are probably one, in words, each with the first of the places where it stands."""
    alike: dict[str, list[str]] = {}
    for name in places:
        alike.setdefault(caseless(name), []).append(name)
    groups = [[f"'{name}' ({_shown(places[name])})" for name in names] for names in alike.values() if len(names) > 1]
    return tuple(f"{' and '.join(group)} differ only in case or Unicode form: probably one" for group in groups)


def _shown(places: Iterable[str]) -> str:
    given = list(dict.fromkeys(places))
    more = f" and {len(given) - _SHOWN} more" if len(given) > _SHOWN else ""
    return ", ".join(given[:_SHOWN]) + more
