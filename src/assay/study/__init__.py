"""The public functions, one file each. `assay` imports them on first use."""

from __future__ import annotations

__all__: list[str] = []
