"""Error span annotation (Kocmi et al. 2024): errors first, then a number from 0 to 100 with the errors in sight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from assay.judges.marks import ERRORS, OMISSION, Doubts, locate
from assay.judges.protocols import Judging, OutputProtocol, Segment, Verdict, protocol
from assay.judges.reading import score_form
from assay.judges.request import Answer, Message, Request
from assay.types import ErrorSpan

__all__ = ["ErrorSpanAnnotation"]

_SPANS, _SCORE = "esa-spans", "esa-score"


class _Vote(NamedTuple):
    """The errors that one vote marked in an output, and the request for the score."""

    errors: tuple[ErrorSpan, ...]
    doubts: Doubts
    request: Request


@protocol("esa")
@dataclass(frozen=True)
class ErrorSpanAnnotation(OutputProtocol):
    """In two stages: errors with a severity, then a number from 0 to 100 with these errors in sight."""

    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {
        _SPANS: ("source", "output"),
        _SCORE: ("source", "output", "errors"),
    }
    human = "ESA"

    def judge(self, outputs: Sequence[tuple[Segment, str]], judging: Judging) -> list[list[Answer[Verdict]]]:
        conversations = [judging.conversation(_SPANS, segment, {"output": text}) for segment, text in outputs]
        form = replace(ERRORS, next_tokens=score_form(*self.scale).tokens)
        marked = judging.ask_votes(conversations, form)
        stages: list[list[Answer[_Vote]]] = []
        for (segment, text), votes in zip(outputs, marked, strict=True):
            stages.append([])
            for number, answer in enumerate(votes):
                if answer.value is None:
                    stages[-1].append(answer.failed("in the first step (errors), "))
                    continue
                errors, doubts = locate(answer.value, text)
                messages = _score_messages(judging, segment, text, errors)
                stages[-1].append(answer.with_value(_Vote(errors, doubts, Request(messages, number))))
        requests = [answer.value.request for votes in stages for answer in votes if answer.value is not None]
        scores = iter(judging.ask(requests, score_form(*self.scale)))
        return [[_verdict(answer, scores) for answer in votes] for votes in stages]


def _score_messages(
    judging: Judging, segment: Segment, output: str, errors: Sequence[ErrorSpan]
) -> tuple[Message, ...]:
    lines = "\n".join(map(_line, errors)) or "none"
    return judging.conversation(_SCORE, segment, {"output": output, "errors": lines})


def _line(error: ErrorSpan) -> str:
    if error.category.rpartition("/")[2] == OMISSION:
        return f"{error.severity}: something of the original is absent"
    return f'{error.severity}: "{error.text}"'


def _verdict(answer: Answer[_Vote], scores: Iterable[Answer[float]]) -> Answer[Verdict]:
    if answer.value is None:
        return answer.failed()
    score = next(iter(scores))
    if score.value is None:
        return score.failed("in the second step (score), ")
    both = replace(score, replies=answer.replies + score.replies)
    return both.with_value(Verdict(score.value, answer.value.errors, answer.value.doubts))
