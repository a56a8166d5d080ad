"""Where sentences are in a text, by their punctuation: the same for all languages."""

from __future__ import annotations

import re

__all__ = ["sentences"]

_SENTENCE = re.compile(r"\S.*?(?:[.!?\u2026\u061f\u0964]+(?=\s)|[\u3002\uff01\uff1f]+|(?=\s*\n)|\s*\Z)", re.DOTALL)


def sentences(text: str) -> list[tuple[int, int]]:
    """The first character of each sentence and the one after its last.

    One ends with a full stop or the like (of Latin, Arabic and Indic scripts before a space, of Chinese and Japanese
    anywhere), with its line, or with the text.
    """
    return [match.span() for match in _SENTENCE.finditer(text)]
