"""How certain a format is that a file is one of its own."""

from __future__ import annotations

__all__ = ["CERTAIN", "LIKELY", "NO", "POSSIBLE"]

NO, POSSIBLE, LIKELY, CERTAIN = range(4)
