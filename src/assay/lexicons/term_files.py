"""Files of terminology lists: tables, JSON, JSON lines, TBX, and the files of the WMT25 and WMT26 terminology tasks.

central bank<TAB>Zentralbank|Notenbank                                  a table
{"central bank": ["Zentralbank", "Notenbank"]}                          JSON
{"proper": {"central bank": ["Zentralbank"]}, "random": {…}}            WMT26: the option `mode` chooses
{"en": "The central bank …", "terms": {"central bank": "Zentralbank"}}  WMT25: a line for each segment
{"central bank": "Zentralbank"}                                         a line for each segment, without its text
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from assay.errors import ConfigError, EmptyInputError, InputError, option_name, printable, shortened
from assay.files.strict_json import parse_json
from assay.lexicons.tbx import read_tbx
from assay.lexicons.term_list import TermList, Terms, as_terms, without_line_breaks
from assay.types.language_codes import two_letter_code

__all__ = ["Mode", "read_term_list"]

Mode = Literal["proper", "random"]

_JSON_LINES = (".jsonl", ".ndjson")
_XML = (".tbx", ".xml")
_ALTERNATIVES = "|"
_HEADER = ["source", "target"]
_TEXT_FIELDS = ("source", "src")
_TWO_COLUMNS = "two columns, separated by a tab: a term and its translation, or several joined by |"
_TERMS = 'write {"TERM": "TRANSLATION"} or {"TERM": ["TRANSLATION", "TRANSLATION"]}'


@functools.lru_cache(maxsize=8)
def read_term_list(path: Path, digest: str, mode: Mode, languages: tuple[str, str] | None) -> TermList:
    """Read a list, cached by path and digest. `languages` are the codes of source and target, if they are known."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the terminology list cannot be read: {reason}", path=str(path)) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            "the terminology list is not UTF-8", path=str(path), line=line, hint="save it as UTF-8"
        ) from None
    found = _read(text, _Place(str(path)), mode, languages)
    if not len(found):
        hint = "outputs made without terms are scored with the list that they should follow" if "{" in text else None
        raise EmptyInputError("the terminology list has no terms", path=str(path), hint=hint)
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something is, for errors."""

    path: str
    line: int | None = None
    row: int | None = None
    """In an array, whose lines are not known."""

    def error(self, reason: str, hint: str | None = None) -> InputError:
        where = "" if self.row is None else f"row {self.row}: "
        return InputError(f"{where}{reason}", path=self.path, line=self.line, hint=hint)


def _read(text: str, place: _Place, mode: Mode, languages: tuple[str, str] | None) -> TermList:
    suffix = Path(place.path).suffix.lower()
    if suffix in _XML or text.lstrip().startswith("<"):
        if languages is None:
            raise _needs_languages(place)
        return TermList(as_terms(read_tbx(text, place.path, languages)))
    if suffix == ".json":
        tree = parse_json(text, path=place.path)
        if isinstance(tree, list):
            rows = ((_Place(place.path, row=number), each) for number, each in enumerate(tree, 1))
            return _of_rows(rows, mode, languages)
        tree = _of_mode(tree, place, mode)
        return TermList(_terms(tree, place))
    if suffix in _JSON_LINES or text.lstrip()[:1] in ("{", "["):
        lines = enumerate(text.removesuffix("\n").split("\n"), 1)
        places = ((_Place(place.path, line), content) for line, content in lines)
        return _of_rows(((each, _line(content, each)) for each, content in places), mode, languages)
    return TermList(as_terms(_table(text, place)))


def _of_mode(tree: Any, place: _Place, mode: Mode) -> Any:
    """The list of this mode, if a file has one for each."""
    by_mode = tree if isinstance(tree, dict) and all(isinstance(each, dict) for each in tree.values()) else {}
    lists = {name.removesuffix("_terms"): terms for name, terms in by_mode.items()}
    if not lists.keys() & set(get_args(Mode)):
        return tree
    if mode not in lists:
        raise place.error(f"no list '{mode}', only {', '.join(lists)}", hint=f"mode={next(iter(lists))}")
    return lists[mode]


def _table(text: str, place: _Place) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        at = _Place(place.path, number)
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise at.error(f"not a term and its translation: '{printable(shortened(line))}'", hint=_TWO_COLUMNS)
        if number == 1 and [cell.lower() for cell in cells] == _HEADER:
            continue
        translations = [translation.strip() for translation in cells[1].split(_ALTERNATIVES)]
        if not all(translations):
            hint = "remove the | without a translation beside it"
            raise at.error(f"an empty alternative among the translations: '{printable(shortened(line))}'", hint=hint)
        yield cells[0], translations


def _line(content: str, place: _Place) -> Any:
    if not content.strip():
        raise place.error("an empty line", hint="write {} for a segment without terms")
    return parse_json(content, path=place.path, line=place.line)


def _of_rows(rows: Iterable[tuple[_Place, Any]], mode: Mode, languages: tuple[str, str] | None) -> TermList:
    """Rows of terms, of texts with their terms, or of the terms of each line."""
    entries: list[tuple[str, tuple[str, ...]]] = []
    by_text: dict[str, Terms] = {}
    by_line: list[Terms] = []
    kind: str | None = None
    for place, row in rows:
        own, found = _row(row, place, mode, languages)
        if kind not in (None, own):
            raise place.error(f"this row has {own}, those before have {kind}", hint="write all rows alike")
        kind = own
        if isinstance(found, _TextWithTerms):
            by_text[found.text] = as_terms([*by_text.get(found.text, ()), *found.terms])
        elif own == _ENTRY:
            entries += found
        else:
            by_line.append(found)
    return TermList(as_terms(entries), by_text, tuple(by_line))


_ENTRY, _OF_TEXT, _OF_LINE = "a term", "a text and its terms", "the terms of a line"


@dataclass(frozen=True, slots=True)
class _TextWithTerms:
    text: str
    terms: Terms


def _row(row: Any, place: _Place, mode: Mode, languages: tuple[str, str] | None) -> tuple[str, Terms | _TextWithTerms]:
    if row == []:  # some programs write an empty dictionary so
        return _OF_LINE, ()
    if not isinstance(row, dict):
        raise place.error(f"expected a JSON object, not {printable(shortened(str(row)))}", hint=_TERMS)
    names = [name for name in ("terms", mode, f"{mode}_terms") if isinstance(row.get(name), dict | list)]
    if not names and set(row) == set(_HEADER):
        return _ENTRY, _terms({row["source"]: row["target"]}, place)
    if not names:
        if "terms" in row or any(isinstance(value, dict) for value in row.values()):
            others = ", ".join(f"'{printable(shortened(name))}'" for name in row)
            raise place.error(f"no terms in 'terms', '{mode}' or '{mode}_terms' among {others}", hint=_TERMS)
        return _OF_LINE, _terms(row, place)
    terms = row[names[0]]
    if isinstance(terms, dict) and isinstance(terms.get(mode), dict):
        terms = terms[mode]
    return _OF_TEXT, _TextWithTerms(_text(row, place, languages), _terms(terms, place))


def _text(row: Mapping[str, Any], place: _Place, languages: tuple[str, str] | None) -> str:
    """The source text of a row: in a field that is called as the source language, `source` or `src`."""
    codes = {two_letter_code(name.lower()): name for name in row}
    own = codes.get(languages[0]) if languages is not None else None
    for name in (own, *_TEXT_FIELDS):
        if name is not None and name in row:
            text = row[name]
            if not isinstance(text, str):
                raise place.error(f"'{name}' is not a text: {printable(shortened(str(text)))}")
            return without_line_breaks(text)
    if languages is None:
        raise _needs_languages(place)
    raise place.error(f"no text in '{languages[0]}', 'source' or 'src'", hint=f"is {option_name('lp')} right?")


def _terms(tree: Any, place: _Place) -> Terms:
    if tree == []:
        return ()
    if not isinstance(tree, dict):
        raise place.error(f"expected terms, not {printable(shortened(str(tree)))}", hint=_TERMS)
    pairs = []
    for source, value in tree.items():
        targets = [value] if isinstance(value, str) else value
        if not isinstance(targets, list) or not targets or not all(isinstance(t, str) and t.strip() for t in targets):
            reason = (
                f"the term '{printable(shortened(source))}' has no translation, but {printable(shortened(repr(value)))}"
            )
            raise place.error(reason, hint=_TERMS)
        if not source.strip():
            raise place.error(f"an empty term, translated as '{printable(shortened(targets[0]))}'", hint=_TERMS)
        pairs.append((" ".join(source.split()), [" ".join(target.split()) for target in targets]))
    return as_terms(pairs)


def _needs_languages(place: _Place) -> ConfigError:
    hint = f"set {option_name('lp')}, such as en-de"
    return ConfigError(f"{place.path} is sorted by language, and the language pair is not known", hint=hint)
