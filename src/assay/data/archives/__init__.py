"""Archives and downloads: unpack them safely into the data folder, with a record of every file."""

from __future__ import annotations

__all__: list[str] = []
