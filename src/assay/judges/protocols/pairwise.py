"""Comparison: which of two outputs of a segment is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.judges.protocols import Judging, PairProtocol, Segment, protocol
from assay.judges.reading import ReplyForm, read_choice
from assay.judges.request import Answer, Schema

__all__ = ["Pairwise"]

_VALUES = {"A": 1.0, "B": 0.0, "tie": 0.5}
_SCHEMA: Schema = {
    "type": "object",
    "properties": {"better": {"type": "string", "enum": list(_VALUES)}},
    "required": ["better"],
    "additionalProperties": False,
}


def _read(reply: str) -> float:
    return _VALUES[read_choice(reply, "better", list(_VALUES))]


_FORM = ReplyForm(_read, _SCHEMA, tokens=10)


@protocol("pairwise")
@dataclass(frozen=True)
class Pairwise(PairProtocol):
    """Which of two outputs is better, or a tie."""

    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {"pairwise": ("source", "first", "second")}

    def compare(self, pairs: Sequence[tuple[Segment, str, str]], judging: Judging) -> list[list[Answer[float]]]:
        (stage,) = self.stages
        conversations = [
            judging.conversation(stage, segment, {"first": first, "second": second}) for segment, first, second in pairs
        ]
        return judging.ask_votes(conversations, _FORM)
