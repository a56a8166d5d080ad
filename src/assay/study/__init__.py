"""The public verbs, one file each. `assay` itself finds them here when they are first used."""

from __future__ import annotations

__all__: list[str] = []
