"""A terminology list: terms of the source language, each with the translations that are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["TermList", "Terms", "as_terms", "without_line_breaks"]

Terms: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Pairs of a term and its translations."""


@dataclass(frozen=True, slots=True)
class TermList:
    """Terms for all segments, or a list for each segment, found by its source text or by its line."""

    terms: Terms = ()
    by_text: Mapping[str, Terms] = field(default_factory=dict)
    """By source text, as `without_line_breaks` writes it."""
    by_line: tuple[Terms, ...] = ()

    @property
    def is_by_segment(self) -> bool:
        """Whether segments have lists of their own."""
        return bool(self.by_text or self.by_line)

    def __len__(self) -> int:
        return len(self.terms) + sum(map(len, self.by_text.values())) + sum(map(len, self.by_line))


def as_terms(pairs: Iterable[tuple[str, Iterable[str]]]) -> Terms:
    """The pairs with one entry for each term, in the order of their first occurrence."""
    targets: dict[str, dict[str, None]] = {}
    for source, translations in pairs:
        targets.setdefault(source, {}).update(dict.fromkeys(translations))
    return tuple((source, tuple(translations)) for source, translations in targets.items())


def without_line_breaks(text: str) -> str:
    """The text with single spaces. The files of a test set may have no line breaks where those of its terms have."""
    return " ".join(text.split())
