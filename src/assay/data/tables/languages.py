"""Languages as files name them, mapped to two-letter ISO 639-1 codes where the mapping is certain."""

from __future__ import annotations

import re

from assay.errors import InputError, printable

__all__ = ["is_known_language", "is_language_pair", "language_code", "language_pair", "pair_of_codes"]

_CODES = {
    "am": "amh",
    "ar": "ara",
    "bg": "bul",
    "bho": "bho",
    "bn": "ben",
    "bs": "bos",
    "ca": "cat",
    "cs": "ces cze",
    "da": "dan",
    "de": "deu ger",
    "el": "ell gre",
    "en": "eng",
    "es": "spa",
    "et": "est",
    "eu": "eus baq",
    "fa": "fas per",
    "fi": "fin",
    "fr": "fra fre",
    "ga": "gle",
    "gl": "glg",
    "gu": "guj",
    "ha": "hau",
    "he": "heb",
    "hi": "hin",
    "hr": "hrv",
    "ht": "hat",
    "hu": "hun",
    "hy": "hye arm",
    "id": "ind",
    "is": "isl ice",
    "it": "ita",
    "ja": "jpn",
    "ka": "kat geo",
    "kk": "kaz",
    "km": "khm",
    "ko": "kor",
    "lt": "lit",
    "lv": "lav",
    "mk": "mkd mac",
    "mr": "mar",
    "mt": "mlt",
    "nb": "nob",
    "nl": "nld dut",
    "nn": "nno",
    "no": "nor",
    "pl": "pol",
    "ps": "pus",
    "pt": "por",
    "ro": "ron rum",
    "ru": "rus",
    "sk": "slk slo",
    "sl": "slv",
    "sq": "sqi alb",
    "sr": "srp",
    "sv": "swe",
    "sw": "swa",
    "ta": "tam",
    "te": "tel",
    "th": "tha",
    "tr": "tur",
    "uk": "ukr",
    "ur": "urd",
    "vi": "vie",
    "xh": "xho",
    "zh": "zho chi",
    "zu": "zul",
}
_NAMES = {
    "Bengali": "bn",
    "Chinese": "zh",
    "Croatian": "hr",
    "Czech": "cs",
    "English": "en",
    "Estonian": "et",
    "Finnish": "fi",
    "French": "fr",
    "German": "de",
    "Gujarati": "gu",
    "Haitian": "ht",
    "Hausa": "ha",
    "Hindi": "hi",
    "Hungarian": "hu",
    "Icelandic": "is",
    "Italian": "it",
    "Japanese": "ja",
    "Kazakh": "kk",
    "Latvian": "lv",
    "Lithuanian": "lt",
    "Polish": "pl",
    "Romanian": "ro",
    "Russian": "ru",
    "Spanish": "es",
    "Turkish": "tr",
    "Ukrainian": "uk",
}
_TWO_LETTERS = {code: two for two, codes in _CODES.items() for code in codes.split()}
_TWO_LETTERS |= {name.lower(): two for name, two in _NAMES.items()}
_PAIR = re.compile("-".join([r"[A-Za-z]{2,3}(_[A-Za-z0-9]+)*"] * 2))
_PLAIN_CODE = re.compile(r"[A-Za-z]{2,3}(_[A-Za-z0-9]+)*")
_CODE = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*")


def is_language_pair(text: str) -> bool:
    """Whether the text has the form `en-de` or `en-zh_CN`."""
    return _PAIR.fullmatch(text) is not None


def is_known_language(code: str) -> bool:
    """Whether this is a two-letter code of a language, or another code that has none."""
    return code in _CODES


def language_code(text: str, *, path: str, line: int) -> str:
    """The code for a code (`deu`, `ger`, `zh_CN`) or English name (`German`): two letters where that is certain."""
    stripped = text.strip()
    if (two := _TWO_LETTERS.get(stripped.lower())) is not None:
        return two
    if _CODE.fullmatch(stripped) is None:
        shown = printable(stripped[:40])
        raise InputError(f"'{shown}' is not a language", path=path, line=line, hint="use a code, e.g. deu or de")
    return stripped.replace("-", "_")  # the hyphen separates the two languages of a pair


def language_pair(source: str, target: str, *, path: str, line: int) -> str:
    """The pair of two languages, e.g. `en-de`."""
    return f"{language_code(source, path=path, line=line)}-{language_code(target, path=path, line=line)}"


def pair_of_codes(source: str | None, target: str | None) -> str | None:
    """The pair of two codes, e.g. `en-zh_CN`; None unless both are language codes."""
    codes = [(language or "").replace("-", "_") for language in (source, target)]
    return "-".join(codes) if all(map(_PLAIN_CODE.fullmatch, codes)) else None
