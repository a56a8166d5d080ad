"""Languages as files name them, mapped to two-letter ISO 639-1 codes where the mapping is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.errors import ConfigError, InputError, printable
from assay.types import Note, NoteKind
from assay.types.language_codes import (
    ENGLISH_NAMES,
    LANGUAGES,
    TWO_LETTER_CODES,
    is_language_code,
    language_label,
    language_of_country,
)

__all__ = [
    "check_language_codes",
    "is_known_language",
    "language_code",
    "language_pair",
    "language_without_region",
    "pair_of_codes",
]

_TWO_LETTERS = {**TWO_LETTER_CODES, **{name.lower(): code for code, name in ENGLISH_NAMES.items()}}
_PLAIN_CODE = re.compile(r"[A-Za-z]{2,3}(_[A-Za-z0-9]+)*")
_CODE = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*")


def check_language_codes(lp: str) -> Iterator[Note]:
    """Warnings of codes in a pair that are those of no language, or may be meant as those of countries.

    A code that is only that of a country, such as `jp`, is an error: texts would be tokenised for no language.
    """
    for text in lp.split("-"):
        code = text.partition("_")[0].lower()
        meant = language_of_country(code)
        if meant is not None and not is_language_code(code):
            hint = f"did you mean {re.sub(rf'(?<![^-]){code}(?![^-_])', meant, lp, flags=re.IGNORECASE)}?"
            raise ConfigError(f"'{code}' in '{lp}' is the code of a country, not of a language", hint=hint)
        if meant is not None:
            problem = f"'{code}' in '{lp}' is not the code of {language_label(meant)}: is that meant?"
            yield Note(NoteKind.SUSPECT, problem, severity="warning")
        elif not is_language_code(code):
            problem = f"'{code}' in '{lp}' is not the code of a language: texts are tokenised as those of no language"
            yield Note(NoteKind.SUSPECT, problem, severity="warning")


def is_known_language(code: str) -> bool:
    """Whether this is a two-letter code of a language, or another code that has none."""
    return code in LANGUAGES


def language_code(text: str, *, path: str, line: int) -> str:
    """The code for a code (`deu`, `ger`, `zh_CN`) or English name (`German`): two letters where that is certain."""
    stripped = text.strip()
    if (two := _TWO_LETTERS.get(stripped.lower())) is not None:
        return two
    if _CODE.fullmatch(stripped) is None:
        shown = printable(stripped[:40])
        raise InputError(f"'{shown}' is not a language", path=path, line=line, hint="use a code, e.g. deu or de")
    return stripped.replace("-", "_")  # the hyphen separates the two languages of a pair


def language_without_region(text: str) -> str | None:
    """The code of a language: `de` for `DE`, `de-AT`, `deu` and `German`; None if the text is not a language."""
    name = text.strip().lower()
    if name in _TWO_LETTERS:
        return _TWO_LETTERS[name]
    if _CODE.fullmatch(name) is None:
        return None
    code = re.split("[_-]", name)[0]
    return _TWO_LETTERS.get(code, code)


def language_pair(source: str, target: str, *, path: str, line: int) -> str:
    """The pair of two languages, e.g. `en-de`."""
    return f"{language_code(source, path=path, line=line)}-{language_code(target, path=path, line=line)}"


def pair_of_codes(source: str | None, target: str | None) -> str | None:
    """The pair of two codes, e.g. `en-zh_CN`; None unless both are language codes."""
    codes = [(language or "").replace("-", "_") for language in (source, target)]
    return "-".join(codes) if all(map(_PLAIN_CODE.fullmatch, codes)) else None
