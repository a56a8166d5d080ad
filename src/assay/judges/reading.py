"""Reads replies strictly: what is not exactly in the form that was asked for has no value, and the reason is said.

White space around a reply is ignored, and so are a block `<think>...</think>` before it and one code fence around all
of it. Nothing else is: a model that says more than it was asked may mean something else than its number says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from assay.errors import InputError, printable
from assay.files.strict_json import parse_json
from assay.judges.request import Schema, UnreadableReply

__all__ = ["ReplyForm", "read_choice", "read_object", "read_score", "score_form"]

Value = TypeVar("Value")

_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_PLAIN_SCORE = re.compile(r"(?:score[ \t]*[:=][ \t]*)?(?P<number>-?[0-9]+(?:\.[0-9]+)?)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_SHOWN = 20


@dataclass(frozen=True)
class ReplyForm(Generic[Value]):
    """What a reply must look like."""

    read: Callable[[str], Value]
    """Raises `UnreadableReply` for a reply that does not."""
    schema: Schema
    tokens: int
    """About how many tokens it has."""
    next_tokens: int | None = None
    """About how many tokens the reply to a second request has that follows each such reply; None: none follows."""


def score_form(low: float, high: float) -> ReplyForm[float]:
    """A reply with one score."""
    schema = {
        "type": "object",
        "properties": {"score": {"type": "number", "minimum": low, "maximum": high}},
        "required": ["score"],
        "additionalProperties": False,
    }
    return ReplyForm(lambda reply: read_score(reply, low=low, high=high), schema, tokens=10)


def read_score(reply: str, *, low: float, high: float) -> float:
    """The score of `{"score": 87}`, or of a reply that is a number alone or after `score:`."""
    body = _body(reply)
    if body.startswith(("{", "[")):
        return _within(_field(_object(body), "score"), low, high)
    if (plain := _PLAIN_SCORE.fullmatch(body)) is not None:
        return _within(float(plain["number"]), low, high)
    numbers = len(_NUMBER.findall(body))
    if numbers == 1:
        raise UnreadableReply("there is text beside the number")
    raise UnreadableReply("there are several numbers where one was asked for" if numbers else "there is no number")


def read_choice(reply: str, key: str, choices: Collection[str]) -> str:
    """The choice of `{"better": "A"}`, or of a reply that is one of the choices alone, in capitals or not."""
    body = _body(reply)
    answer = _field(_object(body), key) if body.startswith(("{", "[")) else body
    found = [choice for choice in choices if isinstance(answer, str) and answer.strip().lower() == choice.lower()]
    if not found:
        raise UnreadableReply(f"the answer is not one of {', '.join(choices)}")
    return found[0]


def read_object(reply: str) -> Mapping[str, Any]:
    """The JSON object that a reply is."""
    return _object(_body(reply))


def _body(reply: str) -> str:
    """The reply without thoughts before it and a fence around it."""
    thoughts = _THOUGHTS.match(reply)
    body = reply[thoughts.end() if thoughts else 0 :].strip()
    if not body:
        raise UnreadableReply("the reply is empty" if not thoughts else "there is nothing after the thoughts")
    if body.startswith("<think>"):
        raise UnreadableReply("the reply ends in the middle of its thoughts")
    if not body.startswith("```"):
        return body
    if (fence := _FENCE.fullmatch(body)) is None:
        raise UnreadableReply("there is text beside the code block, or its end is absent")
    return fence["body"].strip()


def _object(body: str) -> Mapping[str, Any]:
    if not body.startswith(("{", "[")):
        raise UnreadableReply("it is not JSON")
    try:
        value = parse_json(body, path=None)
    except InputError:
        raise UnreadableReply("it is not valid JSON") from None
    if not isinstance(value, dict):
        raise UnreadableReply("it is a JSON list, not an object")
    return value


def _field(tree: Mapping[str, Any], key: str) -> Any:
    if key not in tree:
        raise UnreadableReply(f"the JSON object has no '{key}'")
    return tree[key]


def _within(value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise UnreadableReply("the score is not a number")
    if not low <= value <= high:
        raise UnreadableReply(f"the score {printable(f'{value}'[:_SHOWN])} is not from {low:g} to {high:g}")
    return float(value)
