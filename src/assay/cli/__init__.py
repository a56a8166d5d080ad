"""The command line: parse options, call the public functions, print results. Commands are imported on first use."""

from __future__ import annotations

from assay.lazily import attach

# The names are in __init__.pyi; `assay --help` must not wait for click.
__getattr__, __dir__, __all__ = attach(__name__, __file__)
