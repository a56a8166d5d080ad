"""What chose the texts of an output."""

from __future__ import annotations

from dataclasses import dataclass

from assay.types.record import Record

__all__ = ["ChosenBy"]


@dataclass(frozen=True, slots=True)
class ChosenBy(Record):
    """The metric by which the texts of an output were chosen among candidates: it must not judge them."""

    metric: str
    """The name of the metric without options."""
    parts: tuple[str, ...]
    """The names of the metrics that it combines, such as those of an ensemble."""
    families: tuple[str, ...]
    """What the metric and its parts reward, such as words in common with a reference."""
    signature: str
    origin: str = ""
    """The file that says so."""
