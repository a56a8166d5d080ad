"""sacreBLEU's paired tests: its draws, its sums in single precision and its arithmetic, to the last bit."""

from __future__ import annotations

__all__: list[str] = []
