"""Patterns that find connectives and their translations in texts, tokenised or not."""

from __future__ import annotations

import re

__all__ = ["WORD_END", "WORD_START", "compile_pattern", "form_of", "phrase_pattern", "word_pattern", "word_starts"]

WORD_START = r"(?<!\w)"
WORD_END = r"(?=[\s,.?!:;'’)\]\"»”“…—/]|--|$)"  # as in the program, and closing marks, which it expects to stand alone
_APOSTROPHE = r"(?:['’]|&apos;)"


def form_of(entry: str) -> str:
    """An entry without spaces, not elided: `bien qu'` is bienque."""
    form = entry.lower().replace(" ", "").removeprefix("^").replace("’", "'")
    return f"{form[:-1]}e" if form.endswith("qu'") else form


def word_starts(text: str) -> list[int]:
    """Where the words of a text, separated by white space, start."""
    return [match.start() for match in re.finditer(r"\S+", text)]


def phrase_pattern(phrase: str, *, space: str = r"\s+") -> str:
    """A pattern for words, and what must follow them."""
    *words, last = phrase.split()
    return "".join(word_pattern(word, space) for word in words) + word_pattern(last, WORD_END)


def word_pattern(word: str, end: str, *, gap: str = "") -> str:
    """A pattern for a word. In French, `que` may be `qu'`, and `si` is `s'` before `il` and `ils`."""
    *letters, last = map(_escaped, re.sub(r"qu['’]$", "que", word))
    body = gap.join([*letters, ""]) if letters else ""
    if word.endswith(("que", "qu'", "qu’")):
        return rf"{body}(?:e{end}|{_APOSTROPHE}\s?)"
    if word.endswith("si"):
        return rf"{body}(?:i{end}|{_APOSTROPHE}\s?(?=ils?\b))"
    return f"{body}{last}{end}"


def _escaped(letter: str) -> str:
    """A letter in a pattern; in tokenised text there may be a space after an apostrophe."""
    return rf"{_APOSTROPHE}\s?" if letter in "'’" else re.escape(letter)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern, which ignores case."""
    return re.compile(pattern, re.IGNORECASE)
