"""Is a text in the language it should be in? Decided by its script, and within a script by very frequent words.

Only clear cases are reported: most letters belong to a script that the language is not written in, or the frequent
words of another language are common while its own are rare. Languages that share their frequent words (Czech and
Slovak; Danish, Norwegian and Swedish) are not distinguished, and languages without a list only by script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay import _core
from assay.types.language_codes import script_tag

__all__ = ["SCRIPT_NAMES", "SCRIPT_STARTS", "detected_language", "main_script", "mismatched_language", "script_name"]

_SAMPLED_LINES = 40
_MAX_CHARACTERS = 300  # of a line
_MIN_LETTERS = 200
_MIN_WORDS = 50
_SCRIPT_SHARE = 0.7  # of the letters, which decides the script
_OWN_WORDS_SHARE = 0.2  # of the words that are frequent in a language: the text is in this language beyond doubt
_OTHER_WORDS_SHARE = 0.1  # of the words that are frequent in another language, from which the text may be in it
_MAX_OWN_RATIO = 0.25  # own frequent words to those of the other language, if the text is in the other
_KANA_SHARE = 0.05  # of the letters, which a Japanese text has and a Chinese text never reaches

_BLOCKS = (  # first code point of a range, and its script
    (0x41, "Latin"),
    (0x370, "Greek"),
    (0x400, "Cyrillic"),
    (0x530, "Armenian"),
    (0x590, "Hebrew"),
    (0x600, "Arabic"),
    (0x780, ""),
    (0x900, "Devanagari"),
    (0x980, "Bengali"),
    (0xA00, "Gurmukhi"),
    (0xA80, "Gujarati"),
    (0xB00, "Odia"),
    (0xB80, "Tamil"),
    (0xC00, "Telugu"),
    (0xC80, "Kannada"),
    (0xD00, "Malayalam"),
    (0xD80, "Sinhala"),
    (0xE00, "Thai"),
    (0xE80, "Lao"),
    (0xF00, "Tibetan"),
    (0x1000, "Burmese"),
    (0x10A0, "Georgian"),
    (0x1100, "Korean"),
    (0x1200, "Ethiopic"),
    (0x13A0, ""),
    (0x1780, "Khmer"),
    (0x1800, ""),
    (0x1E00, "Latin"),
    (0x1F00, "Greek"),
    (0x2000, ""),
    (0x3040, "Kana"),
    (0x3100, ""),
    (0x3400, "Han"),
    (0xA000, ""),
    (0xAC00, "Korean"),
    (0xD7B0, ""),
    (0xF900, "Han"),
    (0xFB00, ""),
    (0x20000, "Han"),
    (0x32000, ""),
)
SCRIPT_STARTS = [start for start, _ in _BLOCKS]
SCRIPT_NAMES = [name for _, name in _BLOCKS]
"""The scripts of ranges of code points, by their first one."""
_SCRIPTS = {  # of languages; one written in several scripts is not listed
    "Arabic": "ar fa ur ps",
    "Armenian": "hy",
    "Bengali": "bn as",
    "Burmese": "my",
    "Chinese": "zh",
    "Cyrillic": "ru uk be bg mk kk ky tg",
    "Devanagari": "hi mr ne bho",
    "Ethiopic": "am ti",
    "Georgian": "ka",
    "Greek": "el",
    "Gujarati": "gu",
    "Hebrew": "he yi",
    "Japanese": "ja",
    "Kannada": "kn",
    "Khmer": "km",
    "Korean": "ko",
    "Lao": "lo",
    "Latin": "af ca cs cy da de en es et eu fi fr ga gl ha hr ht hu id is it liv lt lv mas mt nb nl nn no pl pt ro sk "
    "sl so sq sv sw tr vi xh yo zu",
    "Malayalam": "ml",
    "Odia": "or",
    "Sinhala": "si",
    "Tamil": "ta",
    "Telugu": "te",
    "Thai": "th",
    "Tibetan": "bo",
}
_SCRIPT_OF = {language: script for script, languages in _SCRIPTS.items() for language in languages.split()}
_TAGGED_SCRIPTS = {  # by the four letters that name them in a code
    "Arab": "Arabic",
    "Armn": "Armenian",
    "Beng": "Bengali",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Ethi": "Ethiopic",
    "Geor": "Georgian",
    "Grek": "Greek",
    "Gujr": "Gujarati",
    "Guru": "Gurmukhi",
    "Hans": "Chinese",
    "Hant": "Chinese",
    "Hebr": "Hebrew",
    "Jpan": "Japanese",
    "Khmr": "Khmer",
    "Knda": "Kannada",
    "Kore": "Korean",
    "Laoo": "Lao",
    "Latn": "Latin",
    "Mlym": "Malayalam",
    "Mymr": "Burmese",
    "Orya": "Odia",
    "Sinh": "Sinhala",
    "Taml": "Tamil",
    "Telu": "Telugu",
    "Thai": "Thai",
    "Tibt": "Tibetan",
}


@dataclass(frozen=True, eq=False)
class _LanguageGroup:
    """Languages that share their frequent words, by their codes."""

    codes: tuple[str, ...]
    name: str
    words: list[str]


def _group(codes: str, name: str, words: str) -> _LanguageGroup:
    return _LanguageGroup(tuple(codes.split()), name, words.split())


_GROUPS = (
    _group(
        "cs sk",
        "Czech or Slovak",
        "a se v na je že s z o do i to k ve pro by si po jako které aby podle také sa nie som ktoré ale",
    ),
    _group(
        "da nb nn no sv",
        "Danish, Norwegian or Swedish",
        "og i at er det en til på som med for av af den har och att är som inte ikke et de om var",
    ),
    _group(
        "de", "German", "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an"
    ),
    _group("en", "English", "the of and to in a is that for it on as with was be by at this are have from not"),
    _group(
        "es gl pt",
        "Spanish or Portuguese",
        "de la que el en y los del las por un con una para no es se lo o do da em os um uma não que",
    ),
    _group("et", "Estonian", "ja on ei et kui ka oma see seda mis ta oli aga ning ma nii"),
    _group("fi", "Finnish", "ja on ei se että oli hän myös mutta kun ovat ole joka sen kuin jos tai niin"),
    _group("fr", "French", "de la le et les des en un du une que est pour dans qui par il au sur plus ne pas"),
    _group("ha", "Hausa", "da a na ya ta ne cewa wannan ba sun an yi su ce wata ga don"),
    _group("hr sl", "Croatian or Slovenian", "i u je da se na za su od s koji a o in ki so pa kako ne bi to"),
    _group("hu", "Hungarian", "a az és hogy nem is egy meg ez volt csak de már azt mint"),
    _group("is", "Icelandic", "að og í á sem er til var við um með fyrir það ekki af en hann"),
    _group("it", "Italian", "di e che la il in a per un del è non con della sono una le si da i"),
    _group("lt", "Lithuanian", "ir kad į su iš tai yra kaip o buvo už apie jis ne jo"),
    _group("lv", "Latvian", "un ir ka par no ar uz arī kas lai bet tas pēc tika nav"),
    _group("nl", "Dutch", "de van het een en in is dat op te met voor zijn niet aan er om ook door"),
    _group("pl", "Polish", "w i na z się że do nie jest o to jak po przez od za dla ale"),
    _group("ro", "Romanian", "de și în la a cu pe să o că nu din un pentru care este mai"),
    _group("ru", "Russian", "и в на не с что по для как к из он от о за это но был его"),
    _group("tr", "Turkish", "ve bir bu için da de ile olarak daha çok gibi olan ne en kadar"),
    _group("uk", "Ukrainian", "і в на з у що не до та за для як від про це його але й"),
    _group("kk", "Kazakh", "және мен бұл бір үшін деп да де бен болып деген осы бойынша"),
)
_PLACES = range(len(_GROUPS))
_FREQUENT_WORDS = _core.WordLists([group.words for group in _GROUPS])


def script_name(code: str) -> str | None:
    """The script that a code names: `Cyrillic` for `sr_Cyrl_RS`; None if it names none, or an unknown one."""
    return _TAGGED_SCRIPTS.get(script_tag(code) or "")


def mismatched_language(column: Sequence[str | None], language: str, script: str | None = None) -> str | None:
    """What the texts look like, if they are clearly not in the language with this code; None if they may be.

    `script` is the one that they should be in, where a language has several.
    """
    sample = _sample(column)
    found = _script(sample)
    if script is not None and found is not None and found != script:
        return _text_in(found)
    place = next((place for place in _PLACES if language in _GROUPS[place].codes), None)
    words = _FrequentWords(sample)
    if place is not None and words.are_of(place):
        return None
    expected = script or _SCRIPT_OF.get(language)
    if found is None or expected is None:
        return None
    if found != expected:
        return _text_in(found)
    return None if place is None else words.likelier_language(place)


def _text_in(script: str) -> str:
    """What a text in this script looks like."""
    return script if script in ("Chinese", "Japanese", "Korean") else f"text in {script} script"


def detected_language(column: Sequence[str | None]) -> str | None:
    """The code of the language that the texts are in, if their script or their frequent words show it."""
    sample = _sample(column)
    of_script = _SCRIPTS.get(_script(sample) or "", "").split()
    if len(of_script) == 1:
        return of_script[0]
    words = _FrequentWords(sample)
    likely = [place for place in _PLACES if words.likelier_language(place) is None]
    return _GROUPS[likely[0]].codes[0] if len(likely) == 1 else None


def _sample(column: Sequence[str | None]) -> str:
    step = max(1, len(column) // _SAMPLED_LINES)
    return "\n".join((text or "")[:_MAX_CHARACTERS] for text in column[::step]).lower()


def main_script(texts: Sequence[str | None], *, min_letters: int = _MIN_LETTERS) -> str | None:
    """The script of most letters; None if there are few letters, or if no script has most of them."""
    return _script(_sample(texts), min_letters)


def _script(sample: str, min_letters: int = _MIN_LETTERS) -> str | None:
    found = _core.letter_counts(sample, SCRIPT_STARTS)
    counts: dict[str, int] = {}
    for (_, script), count in zip(_BLOCKS, found, strict=True):
        counts[script] = counts.get(script, 0) + count
    letters = sum(found)
    if letters < min_letters:
        return None
    if counts["Kana"] + counts["Han"] >= _SCRIPT_SHARE * letters:
        return "Japanese" if counts["Kana"] >= _KANA_SHARE * letters else "Chinese"
    script = max(counts, key=counts.__getitem__)
    return script if script and counts[script] >= _SCRIPT_SHARE * letters else None


class _FrequentWords:
    """How often words that are frequent in a language occur in a text. Languages are places in the list of groups."""

    def __init__(self, sample: str) -> None:
        self._common: list[list[int]]
        words, letters, self._common = _FREQUENT_WORDS.count(sample)
        # If most are single letters, they are no words but the characters of a text set apart.
        self._words = words if letters <= words / 2 else 0
        self._least = _OTHER_WORDS_SHARE * self._words
        self._candidates = [place for place in _PLACES if self._common[place][place] >= self._least]

    def are_of(self, place: int) -> bool:
        """Whether so many are frequent in a language that the text is in it beyond doubt."""
        return self._common[place][place] >= _OWN_WORDS_SHARE * self._words > 0

    def likelier_language(self, place: int) -> str | None:
        """The name of the language that the text is clearly in rather than in this one, the likeliest if several.

        None if there is none, or if the text has few words.
        """
        if self._words < _MIN_WORDS:
            return None
        own = self._common[place]
        likelier = {}
        for other in self._candidates:
            more = self._common[other][other] - own[other]  # words that are frequent in the other language only
            if more >= self._least and _MAX_OWN_RATIO * more >= own[place] - own[other]:
                likelier[other] = more
        return _GROUPS[max(likelier, key=likelier.__getitem__)].name if likelier else None
