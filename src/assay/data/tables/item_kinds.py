"""Kinds of rated items: ordinary outputs, repeated ones, and those that check the raters."""

from __future__ import annotations

import re

from assay.errors import InputError, printable

__all__ = ["item_kind"]

_ORDINARY = ("", "TGT", "SYSTEM")
_KNOWN = re.compile(r"(TGT|REPEAT|BAD|REF|CHK|HOTW|TUTORIAL)(?![a-z])[\w.#-]*", re.IGNORECASE)


def item_kind(text: str, *, path: str, line: int | None) -> str:
    """TGT for an ordinary output, else the kind in the case that other code expects: `bad_ref` becomes `BAD_ref`.

    An unknown kind is an error: it would otherwise count as an ordinary output.
    """
    kind = text.strip()
    if kind.upper() in _ORDINARY:
        return "TGT"
    match = _KNOWN.fullmatch(kind)
    if match is None:
        hint = "known are TGT or SYSTEM, REPEAT, and for quality control BAD, REF, CHK, HOTW and TUTORIAL"
        raise InputError(f"unknown kind of item '{printable(kind[:40])}'", path=path, line=line, hint=hint)
    return match[1].upper() + kind[match.end(1) :]
