"""Semantic frames: a predicate and its arguments, as spans of words, and the layer `roles` that holds them as text.

A frame is written `1-2:ARG0 3:V 4-6:ARGM-LOC`: spans of words of the segment, counted from 1, with their labels. A bar
stands between the frames of a segment; a segment without a predicate has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from assay.errors import InputError, printable, shortened

__all__ = ["PREDICATE", "Frame", "Role", "base_label", "check_frames", "frames_of", "frames_text", "is_predicate"]

PREDICATE = "V"
"""The label of a predicate in the layer."""

_SPAN = re.compile(r"(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?:(?P<label>[^\s|]+)", re.ASCII)
_BAR = "|"
_PREDICATES = frozenset({"V", "VB", "TARGET", "REL"})
_PREFIXES = ("C-", "R-")  # a continued argument, and a reference to one
_MODIFIERS = ("ARGM-", "AM-")
_NUMBERED = re.compile(r"(?:ARG|A)(?P<number>\d|A)(?:-(?P<kind>.+))?", re.ASCII)
_HINT = "a frame is a predicate and its arguments, such as 1-2:ARG0 3:V 4-6:ARGM-LOC, with | between frames"


class Role(NamedTuple):
    """A span of words, from 0, with the end after the last one, and its label."""

    label: str
    start: int
    end: int


Frame: TypeAlias = tuple[Role, ...]
"""The predicate first, then its arguments."""


def is_predicate(label: str) -> bool:
    """Whether a label is that of a predicate, in the names of any corpus."""
    return label.upper() in _PREDICATES


def base_label(label: str) -> tuple[str, str]:
    """The number of an argument, or V, and the kind of a modifier: `C-ARG1` → ("1", ""), `AM-TMP` → ("", "TMP").

    Continued arguments and references to arguments count as the argument itself.
    """
    name = label.upper()
    while name.startswith(_PREFIXES):
        name = name[2:]
    if name in _PREDICATES:
        return PREDICATE, ""
    for prefix in _MODIFIERS:
        if name.startswith(prefix):
            return "", name.removeprefix(prefix)
    numbered = _NUMBERED.fullmatch(name)
    return ("", name) if numbered is None else (numbered["number"], numbered["kind"] or "")


def frames_of(value: str) -> tuple[Frame, ...]:
    """The frames of a value of the layer `roles`; each must have one predicate."""
    return tuple(_frame(text) for text in value.split(_BAR)) if value.strip() else ()


def _frame(text: str) -> Frame:
    roles = [_role(span) for span in text.split()]
    predicates = [role for role in roles if is_predicate(role.label)]
    if len(predicates) != 1:
        found = f"{len(predicates)} predicates" if predicates else "no predicate"
        raise InputError(f"the frame '{printable(shortened(text.strip()))}' has {found}", hint=_HINT)
    return (*predicates, *(role for role in roles if role is not predicates[0]))


def _role(text: str) -> Role:
    parts = _SPAN.fullmatch(text)
    if parts is None:
        raise InputError(f"'{printable(shortened(text))}' is not a span of words and a role", hint=_HINT)
    first, last = int(parts["first"]), int(parts["last"] or parts["first"])
    if last < first:
        raise InputError(f"the span '{printable(shortened(text))}' ends before it starts", hint=_HINT)
    return Role(parts["label"], first - 1, last)


def check_frames(frames: Sequence[Frame], words: int) -> None:
    """Raise if a frame has a span outside the segment."""
    last = max((role.end for frame in frames for role in frame), default=0)
    if last > words:
        raise InputError(f"a role ends at word {last:,}, but the segment has {words:,}", hint="words count from 1")


def frames_text(frames: Sequence[Frame]) -> str:
    """The value of the layer `roles` for a segment."""
    return f" {_BAR} ".join(" ".join(map(_role_text, sorted(frame, key=lambda role: role[1:]))) for frame in frames)


def _role_text(role: Role) -> str:
    span = str(role.start + 1) if role.end == role.start + 1 else f"{role.start + 1}-{role.end}"
    return f"{span}:{role.label}"
