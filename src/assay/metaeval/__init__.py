"""Meta-evaluation: metric scores aligned with human scores, and statistics of how well they agree."""

from __future__ import annotations

__all__: list[str] = []
