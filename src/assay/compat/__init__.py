"""Other tools' interfaces on top of Assay."""

from __future__ import annotations

__all__: list[str] = []
