"""Compare systems: differences with intervals and tests, and where the systems differ."""

from __future__ import annotations

__all__: list[str] = []
