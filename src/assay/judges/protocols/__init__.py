"""What a model is asked about an output, one file for each protocol, and what its answers mean.

A protocol turns outputs into requests, and replies into verdicts. It does not know how requests are sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from assay.judges.marks import Doubts
from assay.judges.prompt import Prompt
from assay.judges.reading import ReplyForm
from assay.judges.request import Answer, Message, Request
from assay.registry import Registry
from assay.types import ErrorSpan
from assay.types.language_codes import ENGLISH_NAMES, two_letter_code

__all__ = [
    "Ask",
    "Judging",
    "OutputProtocol",
    "PairProtocol",
    "Segment",
    "Verdict",
    "protocol",
    "source_texts",
]

Value = TypeVar("Value")
T = TypeVar("T")


class Ask(Protocol):
    """Sends requests, reads the replies, and gives an answer to each request, in order."""

    def __call__(self, requests: Sequence[Request], form: ReplyForm[Value], /) -> list[Answer[Value]]: ...


@dataclass(frozen=True, slots=True)
class Segment:
    """The texts of a segment that all outputs share."""

    source: str
    reference: str | None = None
    languages: tuple[str, str] = ("", "")
    """The codes of the source and target language; empty if not known."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model thinks of an output."""

    score: float
    errors: tuple[ErrorSpan, ...] | None = None
    """None: it was not asked for errors."""
    doubts: Doubts = field(default_factory=Doubts)


@dataclass(frozen=True, slots=True)
class Judging:
    """How to judge: prompts by stage, votes, and whom to ask."""

    prompts: Mapping[str, Prompt]
    votes: int
    ask: Ask

    def conversation(self, stage: str, segment: Segment, texts: Mapping[str, str]) -> tuple[Message, ...]:
        """The filled prompt of a stage, as one message: not every model takes a system prompt."""
        texts = {**source_texts(segment), **texts}
        return (Message("user", self.prompts[stage].filled(texts, reference=segment.reference is not None)),)

    def ask_votes(self, conversations: Sequence[tuple[Message, ...]], form: ReplyForm[T]) -> list[list[Answer[T]]]:
        """For each conversation, one answer for each vote."""
        requests = [Request(each, vote) for each in conversations for vote in range(self.votes)]
        answers = self.ask(requests, form)
        return [answers[first : first + self.votes] for first in range(0, len(answers), self.votes)]


class _AnyProtocol(ABC):
    """What all protocols say of themselves."""

    name: ClassVar[str]
    stages: ClassVar[Mapping[str, tuple[str, ...]]]
    """The places that the prompt of each stage must have, by the name of the bundled prompt without its version."""
    version: ClassVar[int] = 1
    """Of the bundled prompts."""
    scale: ClassVar[tuple[float, float]] = (0.0, 100.0)
    """The worst and the best score."""

    @property
    def bundled_prompts(self) -> tuple[str, ...]:
        """The names of the prompts that are used unless the user gives others."""
        return tuple(f"{stage}.{self.version}" for stage in self.stages)


class OutputProtocol(_AnyProtocol):
    """A protocol that judges outputs one by one."""

    human: ClassVar[str] = ""
    """The protocol of human ratings whose errors are of the same kind; empty: it marks no errors."""

    @abstractmethod
    def judge(self, outputs: Sequence[tuple[Segment, str]], judging: Judging) -> list[list[Answer[Verdict]]]:
        """For each output, one answer for each vote."""


class PairProtocol(_AnyProtocol):
    """A protocol that compares outputs of the same segment."""

    @abstractmethod
    def compare(self, pairs: Sequence[tuple[Segment, str, str]], judging: Judging) -> list[list[Answer[float]]]:
        """For each pair, one answer for each vote: 1 if the first output is better, 0.5 for a tie, 0 if it is worse."""


AnyProtocol: TypeAlias = OutputProtocol | PairProtocol

protocol: Registry[Any] = Registry("protocol", __name__)


def source_texts(segment: Segment) -> dict[str, str]:
    """The texts of a segment by the names of their places in prompts."""
    return {
        "source": segment.source,
        "reference": segment.reference or "",
        "source_language": _language(segment.languages[0], "the source language"),
        "target_language": _language(segment.languages[1], "the target language"),
    }


def _language(code: str, unknown: str) -> str:
    """`German`; with a script or region, `Chinese (zh_TW)`; the code of a language whose name is not known."""
    base = two_letter_code(code.partition("_")[0].lower())
    name = ENGLISH_NAMES.get(base, base)
    return (f"{name} ({code})" if "_" in code else name) or unknown
