"""What a translation keeps as it is: tags, placeholders, URLs, numbers and emoji, found in one text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["KINDS", "kept_items"]

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))?)*\s*/?>")
_INSIDE_TAG = re.compile(r"\s*(/?>$|=(?=\s*[\"']))\s*")
_URL = re.compile(
    r"(?:https?|ftp)://[^\s<>\"'{}|\\^`]+|www\.[^\s<>\"'{}|\\^`]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
)
_AFTER_URL = ".,;:!?*_)]}»”’…。，、；：！？）】」』"  # punctuation of the sentence rather than of the address
_PRINTF = re.compile(
    r"%%|(?<!\d)%(?:\d+\$|\(\w+\))?[-+0#]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|z|j|t)?[diouxXeEfFgGaAcsp@]"
)
_VARIABLE = re.compile(r"\{\{\s*[\w.-]+\s*\}\}|\$\{\s*[\w.-]+\s*\}|%[A-Z_][A-Z0-9_]+%")
_ICU = re.compile(r"\{\s*([\w.-]+)\s*(?:\}|,\s*(\w+)\s*([,}]))")
_CASE = re.compile(r"\s*(?:offset:\d+\s+)?(?:=\d+|[\w-]+)\s*\{")
_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’\u066b\u066c]\d+)*")
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"  # a flag
    "|(?:[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3]\ufe0f?[\U0001f3fb-\U0001f3ff]?\u200d?)+"
    "|[0-9#*]\ufe0f?\u20e3"  # a key
)


def kept_items(text: str, kinds: frozenset[str]) -> Counter[str]:
    """The items of these kinds and how often they occur.

    Each part of a text is of one kind, the first of `KINDS` that fits it: a number in an address is no number. Items
    are compared as they are, but white space in tags counts as one space, numbers are their digits alone, because
    languages write and group them differently, and emoji have no presentation selectors.
    """
    items: Counter[str] = Counter()
    for name, find in KINDS.items():
        found = list(find(text))
        if name in kinds:
            items.update(item for _, _, item in found)
        text = _without(text, found)
    return items


_TAKEN = "\0"
_MAX_DEPTH = 10  # of cases within cases
_Found = Iterator[tuple[int, int, str]]
"""Start, end, and how the item is compared."""


def _without(text: str, found: Sequence[tuple[int, int, str]]) -> str:
    """The text with something else in the places that are taken."""
    if not found:
        return text
    characters = list(text)
    for start, end, _ in found:
        characters[start:end] = _TAKEN * (end - start)
    return "".join(characters)


def _tags(text: str) -> _Found:
    for match in _TAG.finditer(text):
        tag = _INSIDE_TAG.sub(r"\1", " ".join(match.group().split()))
        yield match.start(), match.end(), tag


def _urls(text: str) -> _Found:
    for match in _URL.finditer(text):
        address = match.group().rstrip(_AFTER_URL)
        yield match.start(), match.start() + len(address), address


def _placeholders(text: str) -> _Found:
    variables = [(each.start(), each.end(), "".join(each.group().split())) for each in _VARIABLE.finditer(text)]
    yield from variables
    text = _without(text, variables)
    yield from _arguments(text, 0, len(text), 0)
    for match in _PRINTF.finditer(text):
        if match.group() != "%%":
            yield match.start(), match.end(), match.group()


def _arguments(text: str, place: int, end: int, depth: int) -> _Found:
    """Arguments of ICU messages. Those in the cases of a plural or select count once, because languages have different
    numbers of cases, and the names of cases do not count. Cases at a depth that no message has are read as text.
    """
    while (match := _ICU.search(text, place, end)) is not None:
        name, form, closing = match.groups()
        place = match.end()
        item = f"{{{name}, {form}}}" if form else f"{{{name}}}"
        yield match.start(), place, item
        inner: set[str] = set()
        while closing == "," and depth < _MAX_DEPTH and (case := _CASE.match(text, place, end)) is not None:
            closed = _closing(text, case.end(), end)
            for start, stop, argument in _arguments(text, case.end(), closed, depth + 1):
                if argument not in inner:
                    inner.add(argument)
                    yield start, stop, argument
            place = min(closed + 1, end)


def _closing(text: str, place: int, end: int) -> int:
    """Where the brace closes that was opened before `place`; the end if none does."""
    depth = 1
    for index in range(place, end):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return end


def _emoji(text: str) -> _Found:
    for match in _EMOJI.finditer(text):
        yield match.start(), match.end(), match.group().replace("\ufe0f", "")


def _numbers(text: str) -> _Found:
    for match in _NUMBER.finditer(text):
        yield match.start(), match.end(), "".join(str(unicodedata.decimal(c)) for c in match.group() if c.isdecimal())


KINDS: Mapping[str, Callable[[str], _Found]] = {
    "tags": _tags,
    "urls": _urls,
    "placeholders": _placeholders,
    "emoji": _emoji,
    "numbers": _numbers,
}
"""What can be found, in the order in which it is looked for."""
