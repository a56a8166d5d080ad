"""The sections of the page, one module each."""

from __future__ import annotations

__all__: list[str] = []
