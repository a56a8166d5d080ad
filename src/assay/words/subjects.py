"""What a result is about, in words: the test set and its language pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.results import Result

__all__ = ["is_same", "subject", "subjects"]

_MOST_PAIRS = 3


def subject(result: Result) -> str:
    """Such as `wmt22 zh-en`, `wmt20, 18 language pairs`, or nothing."""
    data, pairs = result.covers
    name = data.replace("+", ", ")
    if len(pairs) > _MOST_PAIRS:
        return ", ".join(filter(None, (name, f"{len(pairs)} language pairs")))
    return " ".join(filter(None, (name, ", ".join(pairs))))


def subjects(results: Sequence[Result]) -> Iterator[str]:
    """Of all results, each once; a language pair alone is left out where another result names its test set, too."""
    found = list(dict.fromkeys(filter(None, map(subject, results))))
    for name in found:
        if not any(other != name and other.endswith(f" {name}") for other in found):
            yield name


def is_same(first: str, second: str) -> bool:
    """Whether two subjects may be the same: results do not all know the name of their test set."""
    return first == second or first.endswith(f" {second}") or second.endswith(f" {first}")
