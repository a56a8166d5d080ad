"""Base class of metrics on the terms of a terminology list: which terms are required, and where outputs have them."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, get_args

import numpy as np

from assay.errors import AnnotationError, ConfigError, InputError
from assay.files.resources import Resource, find_resource
from assay.lexicons.term_files import Mode, read_term_list
from assay.lexicons.term_list import TermList, Terms, without_line_breaks
from assay.metrics.annotated import AnnotatedMetric
from assay.options.checks import check_choice
from assay.text.term_occurrences import (
    Phrase,
    TermIndex,
    Word,
    assign,
    by_first,
    find_phrases,
    split_words,
    term_index,
)
from assay.text.word_places import word_places
from assay.types import Column, Note, NoteKind, TestSet, digest_of_column
from assay.types.note import plural, verb_for

__all__ = ["FoundTerm", "TermListMetric", "WantedTerm", "WantedTerms", "found_terms"]

_Lemma = Literal["none", "outputs", "both"]
_LAYERS = ("tokens", "lemma")
_CAPITALS = "if these are terms, too, write them in small letters in the list"
_DIGITS = 16  # of a digest in signatures
_SOURCE = "source"

Self = TypeVar("Self", bound="TermListMetric")


class WantedTerm(NamedTuple):
    """A term of a source, its translations, and how often it occurs."""

    term: Phrase
    translations: tuple[Phrase, ...]
    occurrences: int


class WantedTerms(NamedTuple):
    """The terms of a source, and all translations by their first words."""

    terms: tuple[WantedTerm, ...]
    translations: Mapping[str, tuple[Phrase, ...]]


class FoundTerm(NamedTuple):
    """A translation in an output: its first word, the one after its last, the number of the term, and itself."""

    first: int
    last: int
    number: int
    translation: Phrase


@dataclass(frozen=True)
class _Prepared:
    """The list as it is used for a test set: one index for all segments, or the terms of each text."""

    index: TermIndex
    by_text: Mapping[str, Terms]
    digests: Mapping[str, str]
    lowercase: bool

    def of(self, source: str) -> TermIndex:
        """The terms that are looked for in a source."""
        if not self.by_text:
            return self.index
        return term_index(self.by_text.get(without_line_breaks(source), ()), lowercase=self.lowercase)


@dataclass(frozen=True)
class TermListMetric(AnnotatedMetric):
    """A metric on the terms of a list that occur in the source."""

    undefined = "no term of the list occurs in the source"

    list: str = ""
    lowercase: bool = True
    lemma: _Lemma = "none"
    mode: Mode = "proper"
    prepared: _Prepared | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("lemma", self.lemma, get_args(_Lemma))
        check_choice("mode", self.mode, get_args(Mode))

    @property
    def output_layers(self) -> tuple[str, ...]:
        """Words and lemmas, if lemmas are used."""
        return () if self.lemma == "none" else _LAYERS

    @property
    def needs(self) -> frozenset[str]:
        """Source, and the layers."""
        return frozenset({_SOURCE, *self.output_layers})

    @property
    def resources(self) -> Mapping[str, str]:
        if self.prepared is not None:
            return self.prepared.digests
        return {"list": self._file().digest} if self.list else {}

    def check_resources(self) -> None:
        self._file()

    def _file(self) -> Resource:
        if not self.list:
            hint = f"{self.name}:list=FILE, a table of terms and their translations, separated by a tab, JSON or TBX"
            raise ConfigError(f"the metric {self.name} needs a terminology list", hint=hint)
        resource = find_resource(self.list, "terminology list")
        if resource.path.is_dir():
            raise InputError("is a folder, not a terminology list", path=str(resource.path), hint="give a file")
        return resource

    def prepare(self: Self, testset: TestSet) -> Self:
        return dataclasses.replace(self, prepared=self._prepared(testset))

    def _prepared(self, testset: TestSet) -> _Prepared:
        resource = self._file()
        pair = None if testset.language_pair is None else testset.language_pair.partition("-")
        languages = None if pair is None else (pair[0], pair[2])
        digest = resource.digest
        found = read_term_list(resource.path, digest, self.mode, languages)
        digests = {"list": digest}
        by_text = found.by_text
        if found.by_line and testset.sources is not None:
            by_text = _by_source(found, testset.sources, resource.path)
            digests["lines"] = digest_of_column(testset.sources)[:_DIGITS]
        self._check_source_layers(testset)
        index = term_index(found.terms, lowercase=self.lowercase)
        return _Prepared(index, by_text, digests, self.lowercase)

    def _check_source_layers(self, testset: TestSet) -> None:
        if self.lemma != "both" or testset.sources is None:
            return
        for layer in _LAYERS:
            if _SOURCE not in testset.annotations.get(layer, {}):
                hint = "annotate the source, too, or use lemma=outputs"
                raise ConfigError(
                    f"{self.name}:lemma=both needs the annotation layer '{layer}' of the source", hint=hint
                )

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        columns = testset.annotations.get(layer, {})
        names = ((_SOURCE,) if self.lemma == "both" else ()) + testset.systems
        return (columns[name] for name in names if name in columns)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        prepared, sources = self._ready(testset), [text for text in testset.sources or () if text is not None]
        yield from self._notes_on_capitals(prepared, sources)
        if not prepared.by_text:
            return
        missing = sum(without_line_breaks(text) not in prepared.by_text for text in sources)
        if missing:
            be, have = verb_for(missing, "is", "are"), verb_for(missing, "has", "have")
            named = f"{missing:,} of {plural(len(sources), 'source')}"
            text = f"{named} {be} not in {Path(self.list).name}, and {have} no terms"
            yield Note(NoteKind.SUSPECT, text, where=self.name, count=missing, severity="warning")

    def _notes_on_capitals(self, prepared: _Prepared, sources: Sequence[str]) -> Iterator[Note]:
        """A note on words of the sources that would be terms if the list did not have them in capitals."""
        if not self.lowercase:
            return
        skipped: Counter[Phrase] = Counter()
        for source in sources:
            folded, phrases = _acronyms(prepared.of(source))
            words = split_words(source, lowercase=True) if folded else []
            for first, last, phrase in find_phrases(words, phrases):
                term = folded[phrase]
                if any(form not in word.forms for form, word in zip(term, words[first:last], strict=True)):
                    skipped[term] += 1
        if skipped:
            count = skipped.total()
            (first_term, first_count), *_ = skipped.most_common(1)
            text = (
                f"terms that the list has in capitals stand {plural(count, 'time')} in the sources in other letters, "
                f"and are not required there (most often '{' '.join(first_term)}': {first_count:,})"
            )
            yield Note(NoteKind.KEPT, text, where=self.name, count=count, hint=_CAPITALS)

    def _ready(self, testset: TestSet) -> _Prepared:
        return self.prepared or self._prepared(testset)

    def required(self, testset: TestSet) -> Iterator[tuple[int, int, WantedTerms, Sequence[Word]]]:
        """System, segment, the terms of its source, and the words of the output; where the source has terms."""
        scorable = self.scorable(testset)
        outputs = list(testset.outputs.items())
        for segment in np.flatnonzero(scorable.any(axis=0)).tolist():
            wanted = self.wanted(testset, segment)
            if not wanted.terms:
                continue
            for system in np.flatnonzero(scorable[:, segment]).tolist():
                name, column = outputs[system]
                yield system, segment, wanted, self._words(testset, segment, name, column[segment] or "")

    def wanted(self, testset: TestSet, segment: int) -> WantedTerms:
        """The terms of the source of a segment."""
        source = (testset.sources or ())[segment] or ""
        index = self._ready(testset).of(source)
        if not index.by_first:
            return WantedTerms((), {})
        words = self._words(testset, segment, _SOURCE, source)
        counts = Counter(phrase for _, _, phrase in find_phrases(words, index.by_first))
        terms = tuple(WantedTerm(phrase, index.translations[phrase], count) for phrase, count in counts.items())
        return WantedTerms(terms, by_first(phrase for each in terms for phrase in each.translations))

    def _words(self, testset: TestSet, segment: int, column: str, text: str) -> Sequence[Word]:
        words = split_words(text, lowercase=self.lowercase)
        if self.lemma == "none" or (self.lemma == "outputs" and column == _SOURCE):
            return words
        tokens, lemmas = ((testset.annotations[layer][column][segment] or "").split() for layer in _LAYERS)
        if len(tokens) != len(lemmas):
            reason = f"tokens and lemma have different lengths ({len(tokens)} and {len(lemmas)})"
            hint = "each word has one value in every layer, with spaces between the values"
            raise AnnotationError(segment, reason, layer="lemma", column=column, hint=hint)
        return _with_lemmas(text, words, tokens, lemmas, lowercase=self.lowercase)


def _by_source(found: TermList, sources: Column, path: Path) -> Mapping[str, Terms]:
    """The terms of each line, by the text of its source; those of equal sources together."""
    if len(found.by_line) != len(sources):
        reason = f"has the terms of {plural(len(found.by_line), 'line')}, but there are {len(sources):,} segments"
        hint = 'write the texts, too: {"source": "…", "terms": {…}}'
        raise InputError(reason, path=str(path), hint=hint)
    by_text: dict[str, dict[str, tuple[str, ...]]] = {}
    for source, terms in zip(sources, found.by_line, strict=True):
        own = by_text.setdefault(without_line_breaks(source or ""), {})
        for term, translations in terms:
            own[term] = tuple(dict.fromkeys((*own.get(term, ()), *translations)))
    return {text: tuple(terms.items()) for text, terms in by_text.items()}


def _acronyms(index: TermIndex) -> tuple[Mapping[Phrase, Phrase], Mapping[str, tuple[Phrase, ...]]]:
    """The terms with words in capitals by their small letters, and these by their first words."""
    folded = {tuple(map(str.casefold, term)): term for term in index.acronyms}
    return folded, by_first(folded)


def found_terms(wanted: WantedTerms, words: Sequence[Word]) -> list[FoundTerm]:
    """Where terms are translated, in the order of the text."""
    places = find_phrases(words, wanted.translations)
    phrases = [phrase for _, _, phrase in places]
    numbers = assign(phrases, [(each.translations, each.occurrences) for each in wanted.terms])
    found = zip(places, numbers, strict=True)
    return [FoundTerm(first, last, number, phrase) for (first, last, phrase), number in found if number is not None]


def _with_lemmas(
    text: str, words: Sequence[Word], tokens: Sequence[str], lemmas: Sequence[str], *, lowercase: bool
) -> Sequence[Word]:
    """The words with the lemmas of the tokens that begin and end where words do, and whose lemmas are as many words."""
    starts = {word.start: number for number, word in enumerate(words)}
    ends = {word.end: number + 1 for number, word in enumerate(words)}
    changed = list(words)
    places = word_places(text, [token.replace("_", " ") for token in tokens])
    for place, lemma in zip(places, lemmas, strict=True):
        if place is None or place[0] not in starts or place[1] not in ends:
            continue
        numbers = range(starts[place[0]], ends[place[1]])
        forms = _forms(lemma, lowercase=lowercase)
        if len(forms) == len(numbers):
            for number, form in zip(numbers, forms, strict=True):
                word = words[number]
                changed[number] = Word(word.start, word.end, tuple(dict.fromkeys((*word.forms, form))))
    return changed


@functools.lru_cache(maxsize=1 << 14)
def _forms(lemma: str, *, lowercase: bool) -> Phrase:
    return tuple(word.forms[0] for word in split_words(lemma.replace("_", " "), lowercase=lowercase))
