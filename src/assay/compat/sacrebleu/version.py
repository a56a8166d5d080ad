"""The version of sacreBLEU whose numbers, texts and options are reproduced."""

from __future__ import annotations

__all__ = ["__version__", "version", "version_tuple"]

__version__ = version = "2.6.0"
version_tuple = (2, 6, 0)
