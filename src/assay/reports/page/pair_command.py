"""The command that compares two of the systems of a comparison, made from the command that compared all of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from assay.results.private_paths import quoted

__all__ = ["pair_command"]

_SELECTING_OPTIONS = ("--baseline", "--systems", "--exclude")
_WRITING_OPTIONS = ("-o", "--output", "--save", "--format", "--notes", "--signatures")
_DROPPED_OPTIONS = (*_SELECTING_OPTIONS, *_WRITING_OPTIONS)
_DROPPED_FLAGS = ("--all-pairs", "--details", "--force", "--no-text", "--pairs", "--save-texts")


def pair_command(commands: Sequence[str], systems: Sequence[str]) -> dict[str, Any] | None:
    """What page.js makes the command of a pair from; None if it is not known how the systems were given.

    `words`: the words of the command, each with the number of the system that it is the file of, or None. `patterns`:
    with --data, what selects each system. Options that write files or say how are left out: the copy prints its result.
    """
    found = [words for words in map(_words, commands) if words[1:2] == ["compare"]]
    if len(found) != 1:
        return None
    words = list(_kept(found[0]))
    if "--data" in words or any(word.startswith("--data=") for word in words):
        patterns = [_pattern(name) for name in systems]
        return {"words": [[quoted(word), None] for word in words], "patterns": patterns}
    numbered = [(word, _system_of(word, systems)) for word in words]
    if sorted(place for _, place in numbered if place is not None) != list(range(len(systems))):
        return None
    return {"words": list(_with_files(numbered)), "patterns": None}


def _words(command: str) -> list[str]:
    """The words of a command; none of a text that is no command."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _kept(words: Sequence[str]) -> Iterator[str]:
    is_value = False
    for word in words:
        option, _, value = word.partition("=")
        is_joined = word.startswith("-o") and word != "-o"  # -oFILE
        if not (is_value or is_joined or option in _DROPPED_OPTIONS or word in _DROPPED_FLAGS):
            yield word
        is_value = not is_value and option in _DROPPED_OPTIONS and not value


def _pattern(name: str) -> str:
    """A pattern that matches the name: characters of patterns are escaped, commas part patterns."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name).replace(",", "?")


def _system_of(word: str, systems: Sequence[str]) -> int | None:
    """The system whose output the word gives: NAME=FILE, or a file that has its name and perhaps a suffix."""
    file = word.rpartition("/")[2]
    for place, name in enumerate(systems):
        rest = file.removeprefix(name)
        is_named_after = rest != file and (not rest or (rest.startswith(".") and "." not in rest[1:]))
        if word.startswith(f"{name}=") or is_named_after:
            return place
    return None


def _with_files(numbered: Sequence[tuple[str, int | None]]) -> Iterator[list[Any]]:
    """The words, with `--sys` belonging to the system that follows it."""
    for (word, place), (_, following) in zip(numbered, [*numbered[1:], ("", None)], strict=True):
        yield [quoted(word), following if word == "--sys" else place]
