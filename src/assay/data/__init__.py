"""Files to types: archives and downloads, tables, and one module per format."""

from __future__ import annotations

__all__: list[str] = []
