"""Candidates: several outputs of each segment, one of which is to be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.errors import DecodeError, EmptyInputError
from assay.types.note import Note, plural

__all__ = ["Candidates"]

_EXAMPLE = 'give a list for each segment: [["first output", "second output"], …]'


@dataclass(frozen=True, slots=True, repr=False)
class Candidates:
    """The texts of all segments one after the other, and where those of each segment start.

    Segments may have different numbers of candidates, but each has at least one.
    """

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    """One more than there are segments."""
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, groups: Iterable[Sequence[str]], *, notes: Iterable[Note] = (), noun: str = "candidate") -> Candidates:
        """The candidates of each segment as a list of texts."""
        texts: list[str] = []
        starts = [0]
        for number, group in enumerate(groups, 1):
            if isinstance(group, str) or not isinstance(group, Iterable):
                kind = "a text" if isinstance(group, str) else type(group).__name__
                raise DecodeError(f"segment {number}: {kind} is not a list of {noun}s", hint=_EXAMPLE)
            for place, text in enumerate(group, 1):
                _check_text(text, f"segment {number}, {noun} {place}")
                texts.append(text)
            if len(texts) == starts[-1]:
                raise EmptyInputError(f"segment {number} has no {noun}", hint="each segment needs at least one")
            starts.append(len(texts))
        if len(starts) == 1:
            raise EmptyInputError(f"there are no {noun}s", hint=_EXAMPLE)
        return cls(tuple(texts), tuple(starts), tuple(notes))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self.texts[first:last] for first, last in pairwise(self.starts))

    def __repr__(self) -> str:
        return f"Candidates({plural(len(self.texts), 'candidate')} for {plural(len(self), 'segment')})"

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many candidates each segment has."""
        return tuple(last - first for first, last in pairwise(self.starts))


def _check_text(text: object, label: str) -> None:
    if not isinstance(text, str):
        raise DecodeError(f"{label}: {type(text).__name__} is not text", hint="an empty candidate is ''")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DecodeError(f"{label}: a lone surrogate is not text") from None
