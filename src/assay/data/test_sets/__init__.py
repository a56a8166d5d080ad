"""Public test sets by name: their catalogue, their files, and the texts in them."""

from __future__ import annotations

__all__: list[str] = []
