"""What formats share: cells, rows, numbers, names of columns, and the collectors that turn rows into campaigns."""

from __future__ import annotations

__all__: list[str] = []
