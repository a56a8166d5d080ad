"""TBX, the XML of terminologies, in its versions 2 and 3.

    <termEntry><langSet xml:lang="en"><tig><term>central bank</term></tig></langSet>
      <langSet xml:lang="de"><tig><term>Zentralbank</term></tig></langSet></termEntry>

In version 3 they are called <conceptEntry>, <langSec> and <termSec>. Nothing outside the file is read, and a file that
declares entities is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.parsers import expat

from assay.errors import InputError, option_name
from assay.types.language_codes import two_letter_code

__all__ = ["read_tbx"]

_ENTRIES = ("termEntry", "conceptEntry")
_LANGUAGE_SECTIONS = ("langSet", "langSec")
_TERM = "term"


def read_tbx(text: str, path: str, languages: tuple[str, str]) -> Iterator[tuple[str, list[str]]]:
    """The terms of the source language, each with those that its entry has in the target language."""
    reader = _Reader(path)
    reader.parse(text)
    known = sorted({code for entry in reader.entries for code in entry})
    if missing := [code for code in languages if code not in known]:
        reason = f"no terms in '{missing[0]}' (languages: {', '.join(known) or 'none'})"
        raise InputError(reason, path=path, hint=f"is {option_name('lp')} right?")
    for entry in reader.entries:
        source, target = (entry.get(code, []) for code in languages)
        yield from ((term, target) for term in source if target)


class _Reader:
    """What expat calls. A language is known by its two-letter code, without region or script."""

    def __init__(self, path: str) -> None:
        self.entries: list[dict[str, list[str]]] = []
        self._path = path
        self._language: str | None = None
        self._term: list[str] | None = None
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = parser.SkippedEntityHandler = self._refuse

    def parse(self, text: str) -> None:
        try:
            self._parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            reason = f"invalid XML: {expat.ErrorString(error.code)}"
            raise InputError(reason, path=self._path, line=error.lineno) from None
        if not self.entries:
            hint = "TBX has <termEntry> or <conceptEntry>; a table or JSON can be read as well"
            raise InputError("no entries of a terminology found", path=self._path, hint=hint)

    def _error(self, reason: str, hint: str | None = None) -> InputError:
        return InputError(reason, path=self._path, line=self._parser.CurrentLineNumber, hint=hint)

    def _refuse(self, name: str, *_: object) -> int:
        raise self._error(f"it declares or uses the entity '{name[:40]}'", hint="write the character itself")

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _ENTRIES:
            self.entries.append({})
        elif tag in _LANGUAGE_SECTIONS:
            code = attributes.get("xml:lang", "")
            if not code:
                raise self._error(f"<{tag}> has no xml:lang", hint="each language of an entry needs its code")
            self._language = two_letter_code(code.replace("_", "-").partition("-")[0].lower())
        elif tag == _TERM:
            if self._language is None or not self.entries:
                raise self._error("a <term> outside the language section of an entry")
            self._term = []

    def _end(self, tag: str) -> None:
        if tag in _LANGUAGE_SECTIONS:
            self._language = None
        elif tag == _TERM:
            term = " ".join("".join(self._term or ()).split())
            if not term:
                raise self._error("an empty <term>")
            self.entries[-1].setdefault(self._language or "", []).append(term)
            self._term = None

    def _characters(self, data: str) -> None:
        if self._term is not None:
            self._term.append(data)
