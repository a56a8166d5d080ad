"""Dictionaries of connectives: what they can be translated by, and which senses a translation has.

Two structures can be read. Ours is a table: connective, sense, translations separated by `|`; the sense "not" lists
phrases of the source in which the word is no connective. The published dictionaries of ACT are Perl files with a
variable for each connective (`$while = "…|…"`) and for each of its senses (`$whileCONTRAST = "…"`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError, printable
from assay.resources import Resource, find_resource

__all__ = ["BUNDLED", "ConnectiveDictionary", "Occurrence", "Translation", "find_dictionary", "read_dictionary"]

_FOLDER = Path(__file__).parent / "connectives"
BUNDLED: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.tsv")))
"""The language pairs of our own dictionaries."""

_NOT = "not"
_START = r"(?<!\w)"
_END = r"(?=[\s,.?!:;'’]|--|$)"  # as in the program
_APOSTROPHE = r"(?:['’]|&apos;)"
_FUSED = {"eventhough": "even though", "notyet": "not yet", "asthough": "as though"}  # of the published dictionaries
_LEAST_FUSED = 5  # letters of a word that may stand for several


@dataclass(frozen=True, slots=True)
class Translation:
    """A possible translation of a connective. Its form has no spaces, so that variants with and without are equal."""

    form: str
    pattern: str
    senses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A connective or a translation in a text: its form, and where it starts and ends."""

    form: str
    start: int
    end: int
    senses: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ConnectiveDictionary:
    """The connectives of a source language and their translations."""

    translations: Mapping[str, tuple[Translation, ...]]
    exceptions: tuple[str, ...]
    """Phrases of the source that end in a word that is no connective there."""

    def connectives(self, source: str) -> Iterator[Occurrence]:
        """The connectives in a source, from left to right."""
        pattern, exceptions = self._sources
        for match in pattern.finditer(source):
            if exceptions.search(source[: match.end()]) is None:
                yield Occurrence(" ".join(match[0].lower().split()), match.start(), match.end())

    def found(self, connective: str, text: str) -> list[Occurrence]:
        """The possible translations of a connective in a text, from left to right; the longest one at a place."""
        pattern, translations = self._patterns[connective]
        return [
            Occurrence(entry.form, match.start(), match.end(), entry.senses)
            for match in pattern.finditer(text)
            for entry in [translations[(match.lastindex or 1) - 1]]
        ]

    @functools.cached_property
    def _sources(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        names = "|".join(map(_phrase, sorted(self.translations, key=len, reverse=True)))
        exceptions = "|".join(map(_phrase, self.exceptions)) or r"(?!)"
        return _compiled(f"{_START}(?:{names})"), _compiled(f"{_START}(?:{exceptions})$")

    @functools.cached_property
    def _patterns(self) -> dict[str, tuple[re.Pattern[str], tuple[Translation, ...]]]:
        longest_first = {
            name: tuple(sorted(entries, key=lambda entry: -len(entry.form)))
            for name, entries in self.translations.items()
        }
        return {
            name: (_compiled("|".join(f"({entry.pattern})" for entry in entries)), entries)
            for name, entries in longest_first.items()
        }


def find_dictionary(name: str) -> Resource:
    """The file of a dictionary: one of ours by its language pair, or the name or path of a resource."""
    if name in BUNDLED:
        return Resource(name, _FOLDER / f"{name}.tsv")
    return find_resource(name, "dictionary of connectives")


@functools.lru_cache(maxsize=8)
def read_dictionary(path: Path, digest: str) -> ConnectiveDictionary:
    """Read a dictionary; its digest says which content to remember."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the dictionary cannot be read: {error}", path=str(path)) from None
    found = _published(text) if path.suffix == ".pl" else _table(text, path)
    if not found.translations or not all(found.translations.values()):
        hint = "connective, sense and translations in three columns, or a Perl file as ACT has it"
        raise InputError("no connective with translations found", path=str(path), hint=hint)
    return found


def _table(text: str, path: Path) -> ConnectiveDictionary:
    """Our structure."""
    forms: dict[str, dict[str, set[str]]] = {}
    exceptions: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip().lower() for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            reason = f"not a connective, its sense and its translations: '{printable(line)}'"
            raise InputError(reason, path=str(path), line=number, hint="three columns, separated by tabs")
        connective, sense, entries = cells
        if sense == _NOT:
            exceptions += entries.split("|")
            continue
        for entry in entries.split("|"):
            forms.setdefault(connective, {}).setdefault(" ".join(entry.split()), set()).add(sense)
    translations = {
        connective: tuple(_whole_words(entry, senses) for entry, senses in entries.items())
        for connective, entries in forms.items()
    }
    return ConnectiveDictionary(translations, tuple(exceptions))


def _published(text: str) -> ConnectiveDictionary:
    """The structure of ACT's own files. As in the program, a form has a sense if a form of the sense starts it."""
    variables = dict(re.findall(r'^\s*\$(\w+)\s*=\s*"([^"]*)"', text, re.MULTILINE))
    names = {entry.strip(" ^") for entry in variables.get("EnConnectors", "").split("|")} - {""}
    exceptions = [entry.strip(" ^") for entry in variables.get("NotEnConnectors", "").split("|")]
    translations = {}
    for name in sorted(names):
        senses = {
            key.removeprefix(name).lower(): [_form(entry) for entry in _entries(value)]
            for key, value in variables.items()
            if key.startswith(name) and key.removeprefix(name).isupper()
        }
        entries = _entries(variables.get(name, ""))
        translations[_FUSED.get(name, name)] = tuple(_as_published(entries, senses))
    return ConnectiveDictionary(translations, tuple(_FUSED.get(entry, entry) for entry in exceptions if entry))


def _entries(value: str) -> list[str]:
    """The alternatives of a pattern such as `bien qu(e|')| mais`, with those in parentheses written out."""
    alternatives = re.findall(r"(?:\([^()]*\)|[^|()])+", value.replace("\\", ""))
    written_out = [re.sub(" *' *", "'", entry) for each in alternatives for entry in _written_out(each)]
    return [entry for entry in written_out if entry.strip(" ^")]


def _written_out(entry: str) -> list[str]:
    match = re.search(r"\(([^()]*)\)", entry)
    if match is None:
        return [entry]
    before, after = entry[: match.start()], entry[match.end() :]
    return [each for choice in match[1].split("|") for each in _written_out(f"{before}{choice}{after}")]


def _as_published(entries: list[str], senses: Mapping[str, Iterable[str]]) -> Iterator[Translation]:
    """Only entries with `^` or a space before them start at a word, and those without spaces may stand for several."""
    spaced = {_form(entry): entry for entry in reversed(entries) if " " in entry.strip()}
    for form in dict.fromkeys(map(_form, entries)):
        entry = spaced.get(form) or next(entry for entry in entries if _form(entry) == form)
        start = r"(?:^|(?<=\s))" if entry[0] in " ^" else ""
        is_fused = form not in spaced and len(form) >= _LEAST_FUSED
        body = _word(form, _END, gap=r"\s?") if is_fused else _phrase(entry.strip(" ^"), space=r"\s*")
        has = frozenset(sense for sense, starts in senses.items() if any(form.startswith(each) for each in starts))
        yield Translation(form, f"{start}{body}", has)


def _whole_words(entry: str, senses: Iterable[str]) -> Translation:
    return Translation(_form(entry), f"{_START}{_phrase(entry)}", frozenset(senses))


def _form(entry: str) -> str:
    """Without spaces, and not elided: bienque."""
    form = entry.lower().replace(" ", "").removeprefix("^").replace("’", "'")
    return f"{form[:-1]}e" if form.endswith("qu'") else form


def _phrase(phrase: str, *, space: str = r"\s+") -> str:
    """A pattern for words, and what must follow them."""
    *words, last = phrase.split()
    return "".join(_word(word, space) for word in words) + _word(last, _END)


def _word(word: str, end: str, *, gap: str = "") -> str:
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


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
