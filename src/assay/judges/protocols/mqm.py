"""Multidimensional quality metrics: errors with category and severity, whose weights are added up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from assay.judges.marks import ERRORS, Marked, locate
from assay.judges.protocols import Judging, OutputProtocol, Segment, Verdict, protocol
from assay.judges.request import Answer
from assay.types import ErrorSpan
from assay.types.error_weights import GOOGLE_WEIGHTS, matching_keys

__all__ = ["MultidimensionalQuality", "mqm_score"]

WORST = -25.0
_PUNCTUATION = "punctuation"


@protocol("mqm")
@dataclass(frozen=True)
class MultidimensionalQuality(OutputProtocol):
    """Errors with category and severity; the score is minus the sum of their weights, from -25 to 0."""

    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {"mqm": ("source", "output")}
    scale = (WORST, 0.0)
    human = "MQM"

    def judge(self, outputs: Sequence[tuple[Segment, str]], judging: Judging) -> list[list[Answer[Verdict]]]:
        (stage,) = self.stages
        conversations = [judging.conversation(stage, segment, {"output": text}) for segment, text in outputs]
        answers = judging.ask_votes(conversations, ERRORS)
        return [[_verdict(answer, text) for answer in votes] for votes, (_, text) in zip(answers, outputs, strict=True)]


def mqm_score(errors: Iterable[ErrorSpan]) -> float:
    """Minus the sum of the weights of Freitag et al. 2021, at worst that of a text that is no translation."""
    return 0.0 - min(sum(map(_weight, errors)), -WORST)


def _weight(error: ErrorSpan) -> float:
    """Models leave out `fluency/` before a subcategory that has a weight of its own."""
    if error.category.strip().lower() == _PUNCTUATION:
        error = replace(error, category=f"fluency/{_PUNCTUATION}")
    return next(GOOGLE_WEIGHTS[key] for key in matching_keys(error) if key in GOOGLE_WEIGHTS)


def _verdict(answer: Answer[tuple[Marked, ...]], output: str) -> Answer[Verdict]:
    if answer.value is None:
        return answer.failed()
    errors, doubts = locate(answer.value, output)
    return answer.with_value(Verdict(mqm_score(errors), errors, doubts))
