"""Sizes of files as people read them."""

from __future__ import annotations

__all__ = ["byte_text"]

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def byte_text(count: int) -> str:
    """12 bytes, 3.4 kB, 2.32 GB."""
    size, unit = float(count), 0
    while size >= 999.5 and unit + 1 < len(_UNITS):
        size, unit = size / 1000, unit + 1
    if unit == 0 and count == 1:
        return "1 byte"
    return f"{size:.3g} {_UNITS[unit]}" if size < 1000 else f"{size:,.0f} {_UNITS[unit]}"
