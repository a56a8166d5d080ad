"""The version of this package, in one place."""

from __future__ import annotations

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("assay")
