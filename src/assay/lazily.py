"""Packages whose names are imported when first used, so that a command imports only what it needs.

The names are declared once, in the package's stub `__init__.pyi`, which type checkers and editors read as well:

    from assay.study.score import score as score
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["attach"]

_IMPORT = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, given its name and the file of its `__init__` module."""
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    modules = {name: module for module, name in _IMPORT.findall(stub)}

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)  # later look-ups do not call this function
        return value

    def names() -> list[str]:
        """The public names, and the special ones that every module has."""
        special = {name for name in vars(sys.modules[package]) if name.startswith("__") and name.endswith("__")}
        return sorted(special | modules.keys())

    return find, names, sorted(modules)
