"""Names of metrics with the references they use, as in `COMET-22-refA`.

The end of a stored name, after its last hyphen, says which references the metric used: `refA`, several joined by dots
(`refA.refB`), `all` for all references of the test set, or `src` for none.
"""

from __future__ import annotations

from collections.abc import Collection

__all__ = [
    "ALL",
    "NO_REFERENCE",
    "UNKNOWN",
    "format_references",
    "metric_label",
    "parse_references",
    "spell_out",
    "split_name",
]

ALL = "all"
NO_REFERENCE = "src"
UNKNOWN = "unknown"
"""A reference that a file of scores does not name, or that is none of the test set's."""


def split_name(name: str) -> tuple[str, tuple[str, ...]] | None:
    """The metric and its references from a stored name; None if the name has no end that says which.

    `COMET-22-refA` → `("COMET-22", ("refA",))`, `X-src` → `("X", ())`. `all` is returned as it is: see `spell_out`.
    """
    metric, hyphen, end = name.rpartition("-")
    return (metric, parse_references(end)) if hyphen else None


def parse_references(text: str) -> tuple[str, ...]:
    """The references in the end of a name: `refA.refB` → `("refA", "refB")`, `src` → `()`."""
    return () if text == NO_REFERENCE else tuple(filter(None, text.split(".")))


def format_references(references: Collection[str], available: Collection[str] = ()) -> str:
    """The end of a name for these references; `all` if they are all of several `available` ones."""
    if ALL in references or (len(references) > 1 and set(references) == set(available)):
        return ALL
    return ".".join(references) or NO_REFERENCE


def metric_label(metric: str, references: Collection[str], available: Collection[str] = ()) -> str:
    """The metric with its references: `BLEU-refA`, `X-src`; `BLEU-all` if they are all of several `available` ones."""
    return f"{metric}-{format_references(references, available)}"


def spell_out(references: Collection[str], available: Collection[str]) -> tuple[str, ...]:
    """The references by name: `all` stands for the `available` ones."""
    return tuple(available) if ALL in references else tuple(references)
