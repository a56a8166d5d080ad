"""What a verdict is made of, and numbers and lists in sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["MAX_LISTED", "Answer", "Name", "Verdict", "Words", "sized_up"]

MAX_LISTED = 3
"""More names than these are counted instead."""
_MOST_DECIMALS = 4
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a system in a sentence; `role`: a for the first and b for the second of the pair, else nothing."""

    text: str
    role: str = ""


Words: TypeAlias = tuple[str | Name, ...]
"""A sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The short answer to a question, the numbers behind it, and the section that has the evidence."""

    question: str
    answer: str
    detail: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline of one or two sentences, what a reader must know with it, and answers."""

    headline: tuple[Words, ...]
    lede: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def text(self) -> str:
        """The headline as plain text."""
        sentences = ("".join(word if isinstance(word, str) else word.text for word in words) for words in self.headline)
        return " ".join(sentences)


def sized_up(value: float, decimals: int = 1) -> str:
    """A size rounded up, for what is enough from there on."""
    decimals = max(decimals, _decimals(value))
    return f"{math.ceil(abs(value) * 10**decimals - _ROUNDING) / 10**decimals:.{decimals}f}"


def _decimals(value: float) -> int:
    decimals = 1
    while decimals < _MOST_DECIMALS and value != 0 and round(value, decimals) == 0:
        decimals += 1
    return decimals
