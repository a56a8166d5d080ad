"""Files to types: archives and downloads, tables, and one module per format."""

from __future__ import annotations

__all__ = ["CERTAIN", "LIKELY", "NO", "POSSIBLE"]

NO, POSSIBLE, LIKELY, CERTAIN = range(4)
"""How certain a format is that a file is one of its own."""
