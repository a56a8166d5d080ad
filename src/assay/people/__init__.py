"""From single judgements to scores of systems and segments, and how far the people who gave them agree."""

from __future__ import annotations

__all__: list[str] = []
