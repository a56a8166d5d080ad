"""Tables that a terminal shows, without the sentences above them."""

from __future__ import annotations

__all__ = ["table_lines"]


def table_lines(text):
    """From the first line whose cells stand apart on: sentences have single spaces."""
    lines = text.splitlines()
    return lines[next(place for place, line in enumerate(lines) if "  " in line) :]
