"""Names of packages, and numpy, are imported when they are first used, so that a command imports only what it needs.

The names of a package are declared once, in its stub `__init__.pyi`, which type checkers and editors read as well:

    from assay.study.score import score as score
    from assay import metrics as metrics

The second line is a module of the package: `assay.metrics` then needs no import of its own.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["attach", "numpy"]


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, given its name and the file of its `__init__` module."""
    with open(f"{file.removesuffix('c')}i", encoding="utf-8") as stub:  # pathlib would be the slowest import of `assay`
        lines = [line.split() for line in stub]
    modules = {words[3]: words[1] for words in lines if len(words) == 6 and words[0] == "from" and words[3] == words[5]}

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        if modules[name] == package:
            return importlib.import_module(f"{package}.{name}")  # which sets the name
        value = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)  # later look-ups do not call this function
        return value

    def names() -> list[str]:
        """The public names, and the special ones that every module has."""
        special = {name for name in vars(sys.modules[package]) if name.startswith("__") and name.endswith("__")}
        return sorted(special | modules.keys())

    return find, names, sorted(modules)


class _LazyModule:
    """Stands for a module, which is imported when one of its attributes is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self._name), name)
        setattr(self, name, value)  # later look-ups do not call this function
        return value


if TYPE_CHECKING:
    import numpy as numpy
else:
    numpy = _LazyModule("numpy")
    """For modules that a plain score imports: numpy takes longer to import than a test set to score."""
