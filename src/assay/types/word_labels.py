"""Labels of words in outputs and references, such as the error classes of a metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from assay.errors import PluginError

__all__ = ["LabelledSpan", "WordLabels"]

LabelledSpan: TypeAlias = tuple[int, int, int]
"""Start and end of a word in characters of its text, and the number of its label."""


@dataclass(frozen=True, slots=True)
class WordLabels:
    """Labels of words. Those of a reference depend on the output that it is compared with."""

    names: tuple[str, ...]
    outputs: Mapping[str, Mapping[int, tuple[LabelledSpan, ...]]]
    """System → segment (from 0) → labelled words of the output. A segment without an entry was not examined."""
    references: Mapping[str, Mapping[int, tuple[str, tuple[LabelledSpan, ...]]]]
    """System → segment → the reference that the output is compared with, and labelled words of this reference."""
    reference_only: tuple[str, ...] = ()
    """Names of labels that no word of an output gets, such as `missing`."""

    def __post_init__(self) -> None:
        outputs = (spans for segments in self.outputs.values() for spans in segments.values())
        references = (spans for segments in self.references.values() for _, spans in segments.values())
        for start, end, label in chain.from_iterable(chain(outputs, references)):
            if not (0 <= start < end and 0 <= label < len(self.names)):
                raise PluginError(f"({start}, {end}, {label}) is not a word with one of {len(self.names)} labels")
