"""What chose the texts of an output."""

from __future__ import annotations

from dataclasses import dataclass

from assay.types.record import Record

__all__ = ["ChosenBy"]


@dataclass(frozen=True, slots=True)
class ChosenBy(Record):
    """The metric by which the texts of an output were chosen among candidates: it must not judge them."""

    metric: str
    """The name without options."""
    family: str
    """What metrics of its kind reward; empty if it has no relatives."""
    signature: str
    origin: str = ""
    """The file that says so."""
