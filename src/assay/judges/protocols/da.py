"""Direct assessment: one number from 0 to 100 for an output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.judges.protocols import Judging, OutputProtocol, Segment, Verdict, protocol
from assay.judges.reading import score_form
from assay.judges.request import Answer

__all__ = ["DirectAssessment"]


@protocol("da")
@dataclass(frozen=True)
class DirectAssessment(OutputProtocol):
    """One number from 0 to 100, as in direct assessment."""

    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {"da": ("source", "output")}

    def judge(self, outputs: Sequence[tuple[Segment, str]], judging: Judging) -> list[list[Answer[Verdict]]]:
        (stage,) = self.stages
        conversations = [judging.conversation(stage, segment, {"output": text}) for segment, text in outputs]
        answers = judging.ask_votes(conversations, score_form(*self.scale))
        return [[_verdict(answer) for answer in votes] for votes in answers]


def _verdict(answer: Answer[float]) -> Answer[Verdict]:
    return answer.failed() if answer.value is None else answer.with_value(Verdict(answer.value))
