"""Two-letter codes of languages (ISO 639-1), and the other codes that mean the same languages."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LANGUAGES", "TWO_LETTER_CODES", "two_letter_code"]

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
LANGUAGES = frozenset(_CODES)
"""Two-letter codes, and codes of languages that have none."""
TWO_LETTER_CODES: Mapping[str, str] = {code: two for two, codes in _CODES.items() for code in codes.split()}
"""The two-letter code for each three-letter code."""
_MISTAKEN = {"cz": "cs"}  # the country, which WMT's files and METEOR write for the language


def two_letter_code(code: str) -> str:
    """The two-letter code of a language: `de` for `deu` and `ger`, `cs` for `cz`; another code as it is."""
    return TWO_LETTER_CODES.get(code) or _MISTAKEN.get(code, code)
