"""What is asked of a language model, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["Answer", "Message", "Request", "UnreadableReply"]

Value = TypeVar("Value")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: str
    """`system`, `user` or `assistant`."""
    content: str


@dataclass(frozen=True)
class Request:
    """A conversation that the model is to continue. Equal requests are sent once."""

    messages: tuple[Message, ...]
    vote: int = 0
    """Which of several independent answers to the same conversation this is."""


@dataclass(frozen=True)
class Answer(Generic[Value]):
    """What a model answered; `value` is None if no reply could be read."""

    value: Value | None
    reason: str = ""
    """Why there is no value: what was wrong with the last reply, or what the server said."""
    replies: int = 1
    """How many replies it took."""
    text: str = ""
    """The last reply."""

    def with_value(self, value: Other) -> Answer[Other]:
        """What the same replies say in other terms."""
        return Answer(value, "", self.replies, self.text)

    def failed(self, prefix: str = "") -> Answer[Any]:
        """The same answer, which has no value; the prefix of the reason says in which step."""
        return Answer(None, f"{prefix}{self.reason}", self.replies, self.text)


class UnreadableReply(ValueError):
    """A reply that is not in the form that was asked for; its text says why."""


Schema = Mapping[str, Any]
"""A JSON schema of a reply."""
