"""What a verdict is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.labels.numbers import joined
from assay.types.note import plural

__all__ = ["MAX_LISTED", "Answer", "Name", "Verdict", "Words", "named", "plain_text", "uncapitalised"]

MAX_LISTED = 3
"""More names than these are counted instead."""


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a system in a sentence; `role`: a for the first and b for the second of the pair, else nothing."""

    text: str
    role: str = ""


Words: TypeAlias = tuple[str | Name, ...]
"""A sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The short answer to a question, the numbers behind it, and the section that has the evidence."""

    question: str
    answer: str
    detail: str = ""
    link: str = ""
    others: tuple[str, ...] = ()
    """Sentences on other systems than those of the headline."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in a line, and one for each sentence on others."""
        return " ".join(filter(None, (self.question, f"{self.answer}.", self.detail))), *self.others


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline of one or two sentences, what a reader must know with it, answers, and what these rest on."""

    headline: tuple[Words, ...] = ()
    lede: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    remarks: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    """What stands above a table that has the numbers: the headline, and the answers by the score that leads alone.

    It says nothing that the sentences do not say of all scores, so that JSON and pages do without it.
    """

    drawn: tuple[str, ...] = ()
    """The sentences of the lede that a page does without: below them, it draws their numbers."""

    paragraphs: tuple[str, ...] = ()
    """Short paragraphs below the lede, one idea each, where there is more to know than a lede holds."""

    @property
    def text(self) -> str:
        """The headline as plain text."""
        return " ".join(map(plain_text, self.headline))

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it, for a terminal and for JSON; the sentences of the headline and of the lede stand together."""
        answers = (sentence for answer in self.answers for sentence in answer.sentences)
        return tuple(filter(None, (self.text, " ".join(self.lede), *self.paragraphs, *answers, *self.remarks)))

    @classmethod
    def of(cls, paragraphs: Iterable[Sequence[str]]) -> Verdict:
        """From paragraphs of sentences: the first sentence is the headline, and the rest of its paragraph the lede."""
        first, *others = paragraphs
        return cls(((first[0],),), tuple(first[1:]), paragraphs=tuple(" ".join(each) for each in others if each))


def named(names: Sequence[str], noun: str) -> str:
    """A; A and B; A, B and C; `4 systems`."""
    return joined(names) if len(names) <= MAX_LISTED else plural(len(names), noun)


def plain_text(words: Words) -> str:
    """A sentence without roles."""
    return "".join(word if isinstance(word, str) else word.text for word in words)


def uncapitalised(sentence: str) -> str:
    """A sentence as the rest of another; a name in capitals at its beginning stays as it is."""
    return sentence if sentence[1:2].isupper() else f"{sentence[:1].lower()}{sentence[1:]}"
