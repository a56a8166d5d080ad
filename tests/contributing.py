"""The examples of CONTRIBUTING.md, as code."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"


def example(text):
    """The block of CONTRIBUTING.md that has this text."""
    blocks = re.findall(r"```python\n(.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.S)
    return next(block for block in blocks if text in block)


def example_module(text, folder):
    """The block as a module of its own, written to a folder."""
    path = folder / "example.py"
    path.write_text(example(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
