"""How lines in the wrong form are found: from the marks of a column and of the texts that it is compared with."""

from __future__ import annotations

import functools
import re
import string
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Literal

from assay import _core
from assay.data.language_check import main_script
from assay.data.line_index import says_something
from assay.types import Column, as_column

__all__ = [
    "ColumnKind",
    "ComparedColumn",
    "MarkedColumn",
    "in_other_script",
    "in_quotes",
    "json_strings",
    "lacking_throughout",
    "letters_apart",
    "looping",
    "numbered",
    "of_same_text",
    "quoted",
    "reversed_letters",
    "reversed_words",
    "shortened",
    "spaced_out",
    "twice",
    "unfinished",
    "with_mixed_letters",
    "with_same_end",
    "with_same_start",
    "with_small_start",
    "with_source",
    "without_accents",
    "without_capitals",
    "without_small_letters",
    "without_spaces",
    "without_words",
]

ColumnKind = Literal["output", "reference", "source"]

_UPPER, _LOWER, _STARTS_UPPER, _SPACED_OUT = range(60, 64)  # marks of the core
_MARKS = 64
_STRINGS = 60  # of them
_NOTHING = 0.3  # times the length of the reference: it may be no translation
_SHORTEST = 10  # characters of an unfinished line
_SHORT, _LONG = 0.8, 2.0  # times the length of the reference: cut off, and looping
_MUCH_LONGER = 1.6  # times the length of the reference: it may loop, or have something beside a translation
_WITH_SOURCE = 1.3  # times the length of the source
_MIN_SOURCE = 20  # characters of a source that comes after the translation
_TWICE = 1.6  # times the length of the reference
_OFF_CENTRE = 0.3  # of the length: how far the halves may differ
_ALIKE = 0.2  # Dice coefficient of the characters, five by five, of two translations of one segment, …
_EQUAL = 0.9  # … and of the same one
_DISTINCT = 0.8  # of the characters, five by five, of text that does not loop
_APART = 1.5  # times the length of the reference
_HARDLY_ANY = 0.1  # of the lines of the reference
_END = 1000  # characters of a long line in which repetitions are looked for
_COMPARED = 200  # lines that show whether a text is truecased, …
_MOSTLY = 0.5  # … if more of them have capitals
_MIN_LETTERS = 25  # of a line that is in another script, or lacks spaces
_NEAR, _AFFIX = 6, 60  # characters at the start and the end of a line that are compared
_REPEATED = 3  # lines of one text: fewer are chance
_FEW = 10  # lines that may look alike by chance
_SEEN = 25  # lines that show what most lines have in common
_FINAL = " .!?…。！？।॥؟։።»”’“\"')）」』"
_WORD = re.compile(r"[^\W_]")
_DIGITS = re.compile(r"\d+")
_MIXED = re.compile("[A-Za-z][Ѐ-ӿ]|[Ѐ-ӿ][A-Za-z]")
_LATIN, _FIRST, _FURTHER = string.ascii_letters.encode(), bytes(range(0xD0, 0xD4)), bytes(range(0x80, 0xC0))
_KINDS_OF_BYTES = bytes.maketrans(
    _LATIN + _FIRST + _FURTHER, b"a" * len(_LATIN) + b"b" * len(_FIRST) + b"c" * len(_FURTHER)
)
"""In UTF-8: a Latin letter (a), the first byte of a Cyrillic one (b), a further byte of any character (c)."""
_JSON_STRING = re.compile(r'\s*"(?:[^"\\]|\\.)*+"\s*')
_REVERSED_LETTERS = re.compile(r"\s*[.!?…。！？।](?![.!?…]).*\w\s*")
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_IN_QUOTES = re.compile(
    r"„[^„“”]*[“”]|“[^“”]*”|”[^”]*”|«[^«»]*»|»[^«»]*«|‘[^‘]*’|‚[^‚]*[‘’]|「[^「」]*」|『[^『』]*』|《[^《》]*》|'.*'"
)
_LETTERS_APART = re.compile(r"\s*\S(?:\s+\S){9,}\s*")
_REVERSED = re.compile(r"\s*[\w)'’-]*[^\W\d_][.!?]\s.*\w\s*")
_ACCENTED = re.compile(r"[À-ɏ]")
_IN_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_BETWEEN = re.compile(r" (?:/|\||\|\||=|\(|\[) ?|\t")
_SPACE = re.compile(" ")
_SAME_CHARACTERS = re.compile(r"(.)\1{3,}", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:[\[(#№（【]|(?:[Ll]ine|[Ss]egment|Sentence|Item|Zeile|Satz|Ligne) #?)?(\d{1,7})(?:/\d{1,7})?"
    r"(?:\s*[\])）】.:|、．,;>=–-]+\s*|\s+)(?=\S)"
)


class MarkedColumn:
    """A column, or the lines of it at some places, with marks that are made when they are first needed."""

    def __init__(self, whole: Column, places: Sequence[int] | None, marker: _core.LineMarker) -> None:
        self.whole, self._places, self._marker = whole, places, marker

    @functools.cached_property
    def column(self) -> Column:
        """The texts that are marked, taken one by one: `take` needs numpy, which a plain score does not load."""
        return self.whole if self._places is None else as_column(self.whole[place] for place in self._places)

    @functools.cached_property
    def texts(self) -> list[str]:
        """The texts that are marked; the empty text for none."""
        return [text or "" for text in self.column]

    @functools.cached_property
    def marks(self) -> _core.LineMarks:
        """The marks of the texts."""
        return _core.LineMarks(self._marker, self.column)


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column with its marks, and what it is compared with."""

    kind: ColumnKind
    own: MarkedColumn
    twin: str
    """What `reference` is called."""
    _twin: MarkedColumn | None
    """A text in the same language: the first reference, or for a reference another one, or the first output."""
    source: MarkedColumn | None
    places: Sequence[int] | None
    """The lines of the file that are here; None: all."""
    size: int
    """The number of lines that could have been here: of the file, or of a sample of it."""
    is_beside_reference: bool
    """Whether it is an output that is compared with a reference: what differs is wrong."""

    @property
    def column(self) -> Column:
        """The texts."""
        return self.own.column

    @property
    def marks(self) -> _core.LineMarks:
        """The marks of the texts."""
        return self.own.marks

    @functools.cached_property
    def reference(self) -> _core.LineMarks | None:
        """The marks of the text in the same language."""
        return None if self._twin is None else self._twin.marks

    @property
    def reference_column(self) -> Column:
        """The text in the same language."""
        return as_column(()) if self._twin is None else self._twin.column

    @functools.cached_property
    def others(self) -> list[_core.LineMarks]:
        """The marks of the texts that it is compared with."""
        return [marked.marks for marked in self.compared]

    @property
    def compared_columns(self) -> list[Column]:
        """The texts that it is compared with."""
        return [marked.column for marked in self.compared]

    @property
    def compared(self) -> list[MarkedColumn]:
        """What it is compared with."""
        return [marked for marked in (self._twin, self.source) if marked is not None]

    @functools.cached_property
    def counts(self) -> list[int]:
        """For each mark, how many lines have it that the other texts do not have."""
        return self.marks.counts(self.others)

    @functools.cached_property
    def lacks(self) -> list[int]:
        """For each mark, how many lines of the reference have it that this column does not have."""
        return self.reference.counts([self.marks]) if self.reference is not None else [0] * _MARKS

    @functools.cached_property
    def usual(self) -> list[int]:
        """For each mark, how many lines of the reference have it."""
        return self.reference.counts([]) if self.reference is not None else [0] * _MARKS

    @functools.cached_property
    def totals(self) -> list[int]:
        """For each mark, how many lines have it."""
        return self.marks.counts([])

    @property
    def suspects(self) -> set[int]:
        """The lines that may have a form that few lines have: by strings, script and length."""
        marked = [mark for mark, count in enumerate(self.counts[:_STRINGS]) if count]
        found = set(chain.from_iterable(self.marks.lines(mark, self.others) for mark in marked))
        if self.reference is not None:
            found.update(self.marks.in_other_script(self.reference, _MIN_LETTERS))
            found.update(self.marks.of_length(self.reference, _MUCH_LONGER, float("inf")))
        return found

    def text(self, i: int) -> str:
        """A line; the empty text if there is none."""
        return self.column[i] or ""

    def number(self, i: int) -> int:
        """The index of a line in the file."""
        return i if self.places is None else self.places[i]


# Each function returns the indices of lines. `place` is the mark of the strings of the form. If fewer than `least`
# lines have the form, none need be returned.


def quoted(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in quotation marks, where all marks inside are doubled."""
    lines = own.marks.lines(place, own.others) if own.counts[place] >= least else []
    return [i for i in lines if _QUOTED.fullmatch(own.text(i))]


def json_strings(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in quotation marks, where all marks inside are escaped, if some are: others may be CSV."""
    lines = own.marks.lines(place, []) if own.counts[place] >= least else []
    lines = [i for i in lines if _JSON_STRING.fullmatch(own.text(i))]
    return lines if any("\\" in own.text(i) for i in lines) else []


def in_quotes(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in quotation marks of a language, without such marks inside, where another text in the language has none.

    Without such a text, they may be quoted speech.
    """
    lines = own.marks.lines(place, own.others) if own.twin and own.counts[place] >= least else []
    return [i for i in lines if _IN_QUOTES.fullmatch(own.text(i).strip())]


def numbered(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that start with their own number: counted from 0 or 1, or if most lines have one, from any number on."""
    offsets: dict[int, list[int]] = {}
    for i in own.marks.lines(place, own.others) if own.counts[place] >= least else []:
        match = _NUMBER.match(own.text(i))
        if match is not None:
            offsets.setdefault(int(match[1]) - own.number(i), []).append(i)
    usual = max(offsets, key=lambda offset: len(offsets[offset]), default=0)
    is_start = usual in (0, 1) or len(offsets[usual]) > _MOSTLY * len(own.column)
    return offsets.get(usual, []) if is_start else []


def without_capitals(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with small letters only, where another text in the language has a capital, unless the text is truecased."""
    lines = _lacking(_UPPER, _LOWER, own, least)
    return [] if len(lines) < least or _is_truecased(own) else lines


def without_small_letters(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in capitals, where another text in the language has small letters."""
    return _lacking(_LOWER, _UPPER, own, least)


def with_small_start(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines without a capital at their start, where another text in the language has one.

    Unless the text is truecased, they must have capitals: otherwise they are in lower case.
    """
    lines = _lacking(_STARTS_UPPER, _LOWER, own, least)
    return lines if len(lines) < least or _is_truecased(own) else _lacking(_STARTS_UPPER, _UPPER, own, least)


def _is_truecased(own: ComparedColumn) -> bool:
    """Whether most lines that start small have a capital elsewhere, if the other text has one after its first word."""
    small = _lacking(_STARTS_UPPER, _LOWER, own, 0)
    rests = [(i, (own.reference_column[i] or "").partition(" ")[2]) for i in small[:_COMPARED]]
    named = [i for i, rest in rests if rest != rest.lower()]
    return sum(own.text(i) != own.text(i).lower() for i in named) > _MOSTLY * len(named)


def _lacking(mark: int, required: int, own: ComparedColumn, least: float) -> list[int]:
    """Lines of several words without a mark that another text in the language has, and with another mark."""
    if own.reference is None or own.lacks[mark] < least:
        return []
    having = set(own.marks.lines(required, []))
    return [i for i in own.reference.lines(mark, [own.marks]) if i in having and " " in own.text(i).strip()]


def spaced_out(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with spaces between letters of a script that is written without them."""
    return own.marks.lines(_SPACED_OUT, own.others) if own.counts[_SPACED_OUT] >= least else []


def letters_apart(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines of single characters, much longer than the reference."""
    longer = [] if own.reference is None else own.marks.of_length(own.reference, _APART, float("inf"))
    return [i for i in longer if _LETTERS_APART.fullmatch(own.text(i))] if len(longer) >= least else []


def lacking_throughout(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines without a mark that the reference has there, if hardly any line has it."""
    if own.reference is None or own.lacks[place] < least or own.totals[place] > _HARDLY_ANY * own.usual[place]:
        return []
    return own.reference.lines(place, [own.marks])


def without_accents(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with words that the reference has there with accents, if hardly any line has accents."""
    lines = lacking_throughout(own, place, least)
    return [i for i in lines if _stripped_words(own.reference_column[i] or "") & set(own.text(i).split())]


def _stripped_words(text: str) -> set[str]:
    """The words with accents, written without them: without the letters, in two letters for one, or in their base."""
    words = [word for word in text.split() if not word.isascii() and _ACCENTED.search(word)]
    bases = (unicodedata.normalize("NFD", word) for word in words)
    return {
        variant.encode("ascii", "ignore").decode()
        for word, base in zip(words, bases, strict=True)
        for variant in (word, base, word.translate(_IN_TWO_LETTERS))
    }


def without_spaces(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines without any space, while the reference has one after punctuation: the strings are for that."""
    return [
        i
        for i in lacking_throughout(own, place, least)
        if len(own.text(i)) >= _MIN_LETTERS and " " not in own.text(i).strip()
    ]


def reversed_words(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that have final punctuation, for which the strings are, after their first word instead of at their end."""
    if own.reference is None or own.lacks[place] < least:
        return []
    return [i for i in own.reference.lines(place, [own.marks]) if _REVERSED.fullmatch(own.text(i))]


def reversed_letters(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that have final punctuation, for which the strings are, as their first character instead of the last."""
    if own.reference is None or own.lacks[place] < least:
        return []
    return [i for i in own.reference.lines(place, [own.marks]) if _REVERSED_LETTERS.fullmatch(own.text(i))]


def without_words(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Short lines of punctuation alone, where the other texts have words: dashes, dots, brackets."""
    shorter = [] if own.reference is None else own.marks.of_length(own.reference, 0, _NOTHING)
    lines = [i for i in shorter if own.text(i).strip() and not _WORD.search(own.text(i))]
    return [i for i in lines if all(len(_WORD.findall(text[i] or "")) >= _SHORTEST for text in own.compared_columns)]


def with_mixed_letters(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines with words of Latin and Cyrillic letters, unlike the texts that they are compared with."""
    if not _has_mixed_letters("\n".join(text for text in own.own.texts if not text.isascii())):
        return []
    lines = [i for i, text in enumerate(own.own.texts) if _MIXED.search(text)]
    return [i for i in lines if not any(_MIXED.search(column[i] or "") for column in own.compared_columns)]


def _has_mixed_letters(text: str) -> bool:
    """Whether a Latin letter is beside a Cyrillic one; faster than the pattern, and without numpy."""
    kinds = text.encode("utf-8", "surrogatepass").translate(_KINDS_OF_BYTES)
    return b"ab" in kinds or b"bca" in kinds


def of_same_text(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines of one text that many lines have, although what they are compared with differs."""
    texts, least = own.own.texts, max(least, _REPEATED)
    if not own.compared or len(texts) - len(set(texts)) < least - 1:
        return []
    groups: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        if text.strip():
            groups.setdefault(text, []).append(i)
    large = [lines for lines in groups.values() if len(lines) >= least]
    alike = (lines for lines in large if all(len({other.texts[i] for i in lines}) >= least for other in own.compared))
    return sorted(chain.from_iterable(alike))


def with_same_start(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that start with the same words, or the same but for numbers, if most lines do, unlike the reference."""
    return _alike(own, _start)


def with_same_end(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that end with the same words before their final punctuation, if most lines do, unlike the reference."""
    return _alike(own, _end)


def _alike(own: ComparedColumn, side: Callable[[str, int], str]) -> list[int]:
    """Lines that are alike at one side, read from there."""
    common = _common(own.own.texts, side)
    if not common or any(_common(other.texts, side) for other in own.compared):
        return []
    return [i for i, text in enumerate(own.own.texts) if _without_digits(side(text, _AFFIX)).startswith(common)]


def _common(texts: Sequence[str], side: Callable[[str, int], str]) -> str:
    """What most lines of a text have in common at one side, if it is more than letters, which may be alike."""
    some = texts[:: len(texts) // _SEEN | 1]  # an odd step, because texts may repeat
    most = int(_MOSTLY * len(some)) + 1
    firsts = sorted(_without_digits(side(text, _NEAR)[:1]) for text in some)
    if len(some) < _FEW or firsts.count(firsts[len(firsts) // 2]) < most:
        return ""
    ordered = sorted(_without_digits(side(text, _AFFIX)) for text in some)
    common = max((_shared(*pair) for pair in zip(ordered, ordered[most - 1 :], strict=False)), key=len)
    return "" if not common or common.isalnum() else common


def _start(text: str, characters: int) -> str:
    return text[:characters].lstrip()


def _end(text: str, characters: int) -> str:
    return text[-characters:].rstrip(_FINAL)[::-1]


def _without_digits(text: str) -> str:
    """A text in which all numbers look alike."""
    return _DIGITS.sub("0", text)


def _shared(one: str, other: str) -> str:
    """The characters at the start that are the same."""
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def twice(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that are about twice as long as the reference and of two similar halves."""
    longer = [] if own.reference is None else own.marks.of_length(own.reference, _TWICE, float("inf"))
    return [i for i in longer if _has_similar_halves(own.text(i))] if len(longer) >= least else []


def _has_similar_halves(text: str) -> bool:
    """Whether both sides of the separator that is closest to the middle share many sequences of five characters."""
    separators = list(_BETWEEN.finditer(text)) or list(_SPACE.finditer(text))
    best = min(separators, key=lambda found: abs(found.start() + found.end() - len(text)), default=None)
    if (
        best is None
        or len(text) < 2 * _SHORTEST
        or abs(best.start() + best.end() - len(text)) > _OFF_CENTRE * len(text)
    ):
        return False
    halves = text[: best.start()], text[best.end() :]
    one, other = ({half[i : i + 5] for i in range(len(half) - 4)} for half in halves)
    least = _EQUAL if best[0] == " " else _ALIKE
    if len(one) + len(other) < _DISTINCT * len(text):  # a loop
        return False
    return 2 * len(one & other) > least * (len(one) + len(other))


def shortened(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that end with dots, for which the strings are, and are shorter than the reference."""
    if own.reference is None or own.counts[place] < least:
        return []
    ends = set(own.marks.lines(place, own.others))
    return [i for i in own.marks.of_length(own.reference, 0, _SHORT) if i in ends]


def unfinished(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Long lines that are shorter than the reference and lack the punctuation at its end, for which the strings are.

    A limit cuts off the longest outputs. Those that are shorter than the average were not cut.
    """
    if own.reference is None or own.lacks[place] < least:
        return []
    ends = set(own.reference.lines(place, [own.marks]))
    lines = [i for i in own.marks.of_length(own.reference, 0, _SHORT) if i in ends]
    if len(lines) < least:
        return []
    average = _characters(own.column) / len(own.column)
    lines = [i for i in lines if len(own.text(i)) >= max(average, _SHORTEST)]
    if own.is_beside_reference or own.source is None:
        return lines
    sources = own.source.column  # the line of another system may be too long
    usual = _characters(own.column) / max(_characters(sources), 1)
    return [i for i in lines if len(own.text(i)) < _SHORT * usual * len(sources[i] or "")]


def _characters(column: Column) -> int:
    return sum(len(text or "") for text in column)


def looping(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that are much longer than the reference and repeat a few words on and on, unlike the source.

    Letters and dots that are drawn out in the source, or in the reference, may be drawn out longer.
    """
    longer = [] if own.reference is None else own.marks.of_length(own.reference, _LONG, float("inf"))
    lines = [i for i in longer if _loops(own.text(i))] if len(longer) >= least else []
    if own.source is not None:
        lines = [i for i in lines if not _loops(own.source.column[i] or "")]
    return [i for i in lines if _loops(_SAME_CHARACTERS.sub(r"\1", own.text(i))) or not _is_drawn_out(own, i)]


def _is_drawn_out(own: ComparedColumn, i: int) -> bool:
    return any(_SAME_CHARACTERS.search(column[i] or "") for column in own.compared_columns)


def _loops(text: str) -> bool:
    end = text[-_END:]
    return bool(end.strip()) and not says_something(end)


def in_other_script(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines in another script than another text in the language, which is to blame if the script is the usual one."""
    lines = [] if own.reference is None else own.marks.in_other_script(own.reference, _MIN_LETTERS)
    if not lines or own.is_beside_reference:
        return lines
    usual = main_script(own.own.whole)
    return [i for i in lines if main_script([own.text(i)], min_letters=_MIN_LETTERS) != usual]


def with_source(own: ComparedColumn, place: int, least: float) -> list[int]:
    """Lines that are the source and something after it, or something and the source after it."""
    if own.source is None:
        return []
    starts = set(own.marks.of_same_start(own.source.marks))
    longer = own.marks.of_length(own.source.marks, _WITH_SOURCE, float("inf"))
    texts = own.source.column
    return [i for i in longer if _contains(own.text(i), (texts[i] or "").strip(), is_start=i in starts)]


def _contains(text: str, source: str, *, is_start: bool) -> bool:
    return text.startswith(source) if is_start else len(source) >= _MIN_SOURCE and source in text
