"""Files of connective dictionaries, in two formats.

Assay's is a table: connective, sense, translations separated by `|`; the sense "not" lists phrases of the source in
which the word is not a connective. The published dictionaries of ACT are Perl files with a variable for each connective
(`$while = "…|…"`) and for each of its senses (`$whileCONTRAST = "…"`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from assay.errors import InputError, nearest, printable
from assay.files.resources import Resource, find_resource
from assay.lexicons.connective_dictionary import ConnectiveDictionary, Translation
from assay.lexicons.connective_patterns import WORD_END, WORD_START, form_of, phrase_pattern, word_pattern

__all__ = ["BUNDLED", "find_dictionary", "read_dictionary"]

_FOLDER = Path(__file__).parent / "connectives"
BUNDLED: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.tsv")))
"""The language pairs of our own dictionaries."""

_NOT = "not"
_SENSES = ("contrast", "concession", "temporal", "causal", "adverb", _NOT)
_FUSED = {"eventhough": "even though", "notyet": "not yet", "asthough": "as though"}  # of the published dictionaries
_MIN_FUSED_LENGTH = 5  # letters of a word that may stand for several


def find_dictionary(name: str) -> Resource:
    """The file of a dictionary: one of ours by its language pair, or the name or path of a resource."""
    if name in BUNDLED:
        return Resource(name, _FOLDER / f"{name}.tsv")
    resource = find_resource(name, "dictionary of connectives")
    if resource.path.is_dir():
        raise InputError("is a folder, not a dictionary", path=str(resource.path), hint="give the file of a dictionary")
    return resource


@functools.lru_cache(maxsize=8)
def read_dictionary(path: Path, digest: str) -> ConnectiveDictionary:
    """Read a dictionary, cached by path and digest."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the dictionary cannot be read: {reason}", path=str(path)) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("the dictionary is not UTF-8", path=str(path), line=line, hint="save it as UTF-8") from None
    dictionary = _parse_perl(text) if path.suffix == ".pl" else _parse_tsv(text, path)
    if not dictionary.translations or not all(dictionary.translations.values()):
        hint = "connective, sense and translations in three columns, or a Perl file as ACT has it"
        raise InputError("no connective with translations found", path=str(path), hint=hint)
    return dictionary


def _parse_tsv(text: str, path: Path) -> ConnectiveDictionary:
    """Parse Assay's TSV format."""
    forms: dict[str, dict[str, set[str]]] = {}
    exceptions: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [" ".join(cell.lower().split()) for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            reason = f"not a connective, its sense and its translations: '{printable(line)}'"
            raise InputError(reason, path=str(path), line=number, hint="three columns, separated by tabs")
        connective, sense = cells[:2]
        entries = [entry.strip() for entry in cells[2].split("|")]
        if not all(entries):
            reason = f"an empty alternative among the translations: '{printable(line)}'"
            raise InputError(reason, path=str(path), line=number, hint="remove the | without a translation beside it")
        if sense not in _SENSES:
            hint = nearest(sense, _SENSES)
            raise InputError(f"unknown sense '{printable(sense)}'", path=str(path), line=number, hint=hint)
        if sense == _NOT:
            exceptions += entries
            continue
        for entry in entries:
            forms.setdefault(connective, {}).setdefault(entry, set()).add(sense)
    translations = {
        connective: tuple(
            Translation(form_of(entry), f"{WORD_START}{phrase_pattern(entry)}", frozenset(senses))
            for entry, senses in entries.items()
        )
        for connective, entries in forms.items()
    }
    return ConnectiveDictionary(translations, tuple(exceptions))


def _parse_perl(text: str) -> ConnectiveDictionary:
    """Parse ACT's own files. As in the program, a form has a sense if it starts with one of the sense's forms."""
    variables = dict(re.findall(r'^\s*\$(\w+)\s*=\s*"([^"]*)"', text, re.MULTILINE))
    names = {entry.strip(" ^") for entry in variables.get("EnConnectors", "").split("|")} - {""}
    exceptions = [entry.strip(" ^") for entry in variables.get("NotEnConnectors", "").split("|")]
    translations = {}
    for name in sorted(names):
        senses = {
            key.removeprefix(name).lower(): [form_of(entry) for entry in _entries(value)]
            for key, value in variables.items()
            if key.startswith(name) and key.removeprefix(name).isupper()
        }
        entries = _entries(variables.get(name, ""))
        translations[_FUSED.get(name, name)] = tuple(_as_published(entries, senses))
    return ConnectiveDictionary(translations, tuple(_FUSED.get(entry, entry) for entry in exceptions if entry))


def _entries(value: str) -> list[str]:
    """The alternatives of a pattern such as `bien qu(e|')| mais`, with those in parentheses written out."""
    alternatives = re.findall(r"(?:\([^()]*\)|[^|()])+", value.replace("\\", ""))
    written_out = [re.sub(" *' *", "'", entry) for alternative in alternatives for entry in _written_out(alternative)]
    return [entry for entry in written_out if entry.strip(" ^")]


def _written_out(entry: str) -> list[str]:
    match = re.search(r"\(([^()]*)\)", entry)
    if match is None:
        return [entry]
    before, after = entry[: match.start()], entry[match.end() :]
    return [text for choice in match[1].split("|") for text in _written_out(f"{before}{choice}{after}")]


def _as_published(entries: list[str], senses: Mapping[str, Iterable[str]]) -> Iterator[Translation]:
    """Only entries with `^` or a space before them start at a word, and those without spaces may stand for several."""
    spaced = {form_of(entry): entry for entry in reversed(entries) if " " in entry.strip()}
    for form in dict.fromkeys(map(form_of, entries)):
        entry = spaced.get(form) or next(entry for entry in entries if form_of(entry) == form)
        start = r"(?:^|(?<=\s))" if entry[0] in " ^" else ""
        is_fused = form not in spaced and len(form) >= _MIN_FUSED_LENGTH
        body = word_pattern(form, WORD_END, gap=r"\s?") if is_fused else phrase_pattern(entry.strip(" ^"), space=r"\s*")
        senses_of_form = frozenset(sense for sense, forms in senses.items() if form.startswith(tuple(forms)))
        yield Translation(form, f"{start}{body}", senses_of_form)
