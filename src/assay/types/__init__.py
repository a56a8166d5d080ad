"""The values that flow through Assay. All are frozen and checked when they are made."""

from __future__ import annotations

from assay.lazily import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
