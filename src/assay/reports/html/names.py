"""Names of systems as HTML: long ones may be broken where their parts meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["breakable"]

_PARTS = re.compile(r"(?<=[-_./:+@])(?=.)|(?<=[a-z0-9])(?=[A-Z])")
_SHORT = 12  # characters that always fit into a line


def breakable(name: str) -> Markup:
    """The name with a possible line break after punctuation and before a capital letter inside a word."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(_PARTS.split(name)) if len(name) > _SHORT else escape(name)
