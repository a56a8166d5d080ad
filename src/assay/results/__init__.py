"""What the verbs return: numbers with their n, interval and reason, never formatted text."""

from __future__ import annotations

from assay.lazily import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
