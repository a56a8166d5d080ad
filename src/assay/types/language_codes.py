"""Two-letter codes of languages (ISO 639-1), and the other codes that mean the same languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.errors import ConfigError, InputError, printable

__all__ = [
    "ENGLISH_NAMES",
    "LANGUAGES",
    "LANGUAGE_PAIR",
    "TWO_LETTER_CODES",
    "is_language_code",
    "is_language_pair",
    "language_label",
    "language_of_country",
    "languages_of",
    "not_a_language_pair",
    "pair_without_scripts",
    "script_tag",
    "two_letter_code",
]

_PAIR = re.compile("-".join([r"[A-Za-z]{2,3}(?:_[A-Za-z0-9]+)*"] * 2))
_WITH_SCRIPT = re.compile(r"([a-z]{3})_[A-Z][a-z]{3}")
_SHOWN = 40  # characters of what is no pair
_TAGGED_CODE = r"[a-z]{2,3}(?:_[A-Za-z0-9]+)*"
LANGUAGE_PAIR = f"{_TAGGED_CODE}-{_TAGGED_CODE}"
"""A pattern of language pairs as file names have them: codes, perhaps with script and region, `en-sr_Cyrl_RS`."""

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
ENGLISH_NAMES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "bs": "Bosnian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "gu": "Gujarati",
    "ha": "Hausa",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "ht": "Haitian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""Names of languages, by code."""
LANGUAGES = frozenset(_CODES)
"""Two-letter codes, and codes of languages that have none."""
TWO_LETTER_CODES: Mapping[str, str] = {code: two for two, codes in _CODES.items() for code in codes.split()}
"""The two-letter code for each three-letter code."""
_ISO_639_1 = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu iw ja "
    "ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb "
    "nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq "
    "sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
_OF_COUNTRIES = {  # codes of countries that are no codes of languages
    "al": "sq",
    "at": "de",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "gb": "en",
    "ge": "ka",
    "gr": "el",
    "il": "he",
    "ir": "fa",
    "jp": "ja",
    "kz": "kk",
    "mx": "es",
    "pk": "ur",
    "rs": "sr",
    "ua": "uk",
    "us": "en",
    "vn": "vi",
}
_ALSO_COUNTRIES = {"ee": "et", "kr": "ko", "se": "sv", "si": "sl"}  # Ewe, Kanuri, Northern Sami and Sinhala
_MISTAKEN = {"cz": "cs"}  # the country, which WMT's files and METEOR write for the language


def two_letter_code(code: str) -> str:
    """The two-letter code of a language: `de` for `deu` and `ger`, `cs` for `cz`; another code as it is."""
    return TWO_LETTER_CODES.get(code) or _MISTAKEN.get(code, code)


def languages_of(lp: str) -> tuple[str, str]:
    """The source and the target language, without script and region: `en-ar_EG` and `eng-ara` are the same."""
    source, _, target = lp.rpartition("-")
    first, second = (two_letter_code(each.partition("_")[0].lower()) for each in (source, target))
    return first, second


def pair_without_scripts(text: str) -> str | None:
    """The pair `en-de` for `eng_Latn-deu_Latn`; None for a pair that is not of three letters and a script each."""
    codes = [_WITH_SCRIPT.fullmatch(code) for code in text.split("-")]
    return "-".join(two_letter_code(code[1]) for code in codes if code) if all(codes) else None


def is_language_pair(text: str) -> bool:
    """Whether the text has the form `en-de` or `en-zh_CN`."""
    return _PAIR.fullmatch(text) is not None


def not_a_language_pair(text: str, *, path: str | None = None, line: int | None = None) -> ConfigError | InputError:
    """The error that says so: of a line of a file, or else of an argument."""
    message, hint = (
        f"'{printable(text[:_SHOWN])}' is not a language pair",
        "write source-target, e.g. en-de or en-zh_TW",
    )
    return ConfigError(message, hint=hint) if path is None else InputError(message, path=path, line=line, hint=hint)


def is_language_code(code: str) -> bool:
    """Whether this may be the code of a language: one of ISO 639-1, or any of three letters."""
    return len(code) == 3 or code in _ISO_639_1.split()


def language_of_country(code: str) -> str | None:
    """The language that the code of a country is probably meant for: `ja` for `jp`; `sv` for `se`, Northern Sami."""
    return _OF_COUNTRIES.get(code) or _ALSO_COUNTRIES.get(code)


def script_tag(code: str) -> str | None:
    """The script that a code names by its four letters (ISO 15924): `Cyrl` for `sr_Cyrl_RS`; None if it names none."""
    tags = (tag.title() for tag in code.split("_")[1:])
    return next((tag for tag in tags if len(tag) == 4 and tag.isalpha()), None)


def language_label(code: str) -> str:
    """A language in a message: `Chinese (zh)`, or the code alone if its name is not known."""
    return f"{ENGLISH_NAMES[code]} ({code})" if code in ENGLISH_NAMES else f"'{code}'"
