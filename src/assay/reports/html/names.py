"""Names of systems as HTML: long ones may be broken where their parts meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["breakable", "whole"]

_PARTS = re.compile(r"(?<=[-_./:+@])(?=.)|(?<=[a-z0-9])(?=[A-Z])")
_MINUS = re.compile(r"(?<![^ \[(])-(?=[0-9])")
_SHORT = 20  # characters that always fit into a line


def breakable(name: str) -> Markup:
    """The name with a possible line break after punctuation and before a capital letter inside a word.

    A short one is never broken, also where browsers would break it: at a hyphen.
    """
    from markupsafe import Markup, escape

    if len(name) > _SHORT:
        return Markup("<wbr>").join(_PARTS.split(name))
    return Markup('<span class="whole">{}</span>').format(name) if "-" in name else escape(name)


def whole(text: str) -> Markup:
    """A sentence whose short words are not broken at their hyphens, such as en-de; numbers have a minus sign."""
    from markupsafe import Markup

    if isinstance(text, Markup):
        return text
    words = _MINUS.sub("−", text).split(" ")
    return Markup(" ").join(breakable(word) if len(word) <= _SHORT else word for word in words)
