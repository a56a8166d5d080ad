"""TERM: the share of the terms of a terminology list that an output translates as listed."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from assay.errors import AnnotationError, ConfigError, InputError
from assay.files.resources import Resource, find_resource
from assay.lexicons.term_files import Mode, read_term_list
from assay.lexicons.term_list import TermList, Terms
from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric
from assay.options.checks import check_choice
from assay.text.term_occurrences import Phrase, Word, assign, by_first, find_phrases, split_words, term_index
from assay.text.word_places import word_places
from assay.types import Column, FloatArray, LabelledSpan, Note, NoteKind, Table, TestSet, WordLabels, digest_of_column
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Term"]

_Unit = Literal["occurrences", "terms", "segments"]
_Lemma = Literal["none", "outputs", "both"]
_LAYERS = ("tokens", "lemma")
_COUNTS = {
    "occurrences": ("found", "required"),
    "terms": ("terms_found", "terms"),
    "segments": ("complete", "segments"),
}
_FOUND, _MISSED = range(2)
_DIGITS = 16  # of a digest in signatures
_SOURCE = "source"


class _Wanted(NamedTuple):
    """What the terms of a source demand of its translations."""

    terms: tuple[tuple[tuple[Phrase, ...], int], ...]
    """The translations of each term, and how often it occurs."""
    translations: Mapping[str, tuple[Phrase, ...]]
    """All of them by their first words."""


@dataclass(frozen=True)
class _Prepared:
    """The list as it is used for a test set."""

    terms: Terms
    by_text: Mapping[str, Terms]
    digests: Mapping[str, str]

    def of(self, source: str) -> Terms:
        """The terms that are looked for in a source."""
        return self.by_text.get(source.strip(), ()) if self.by_text else self.terms


@metric("term")
@dataclass(frozen=True)
class Term(AnnotatedMetric):
    """Per cent of the terms in the source that the output translates as a list says; needs no reference.

    score = 100 * found / required, where a term is required as often as it occurs in the source

    Options: list, a file of terms and their translations; unit (occurrences; terms: each once in a segment, found if
    one of its occurrences is; segments: per cent of the segments with terms that have all occurrences); lowercase,
    whether case is ignored; lemma, where words are also known by the annotation layer `lemma`, besides `tokens`
    (none; outputs; both: sources, too); mode, which list of the files of WMT25 and WMT26 (proper; random).
    """

    labels = ("TERM",)
    score_options: ClassVar[frozenset[str]] = frozenset({"unit"})
    undefined = "no term of the list occurs in the source"

    list: str = ""
    unit: _Unit = "occurrences"
    lowercase: bool = True
    lemma: _Lemma = "none"
    mode: Mode = "proper"
    prepared: _Prepared | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, get_args(_Unit))
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
    def columns(self) -> tuple[str, ...]:
        return tuple(name for names in _COUNTS.values() for name in names)

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
            raise ConfigError("the metric term needs a terminology list", hint=hint)
        resource = find_resource(self.list, "terminology list")
        if resource.path.is_dir():
            raise InputError("is a folder, not a terminology list", path=str(resource.path), hint="give a file")
        return resource

    def prepare(self, testset: TestSet) -> Term:
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
        return _Prepared(found.terms, by_text, digests)

    def _check_source_layers(self, testset: TestSet) -> None:
        if self.lemma != "both" or testset.sources is None:
            return
        for layer in _LAYERS:
            if _SOURCE not in testset.annotations.get(layer, {}):
                hint = "annotate the source, too, or use lemma=outputs"
                raise ConfigError(f"term:lemma=both needs the annotation layer '{layer}' of the source", hint=hint)

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        columns = testset.annotations.get(layer, {})
        names = ((_SOURCE,) if self.lemma == "both" else ()) + testset.systems
        return (columns[name] for name in names if name in columns)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        prepared, sources = self._ready(testset), [text for text in testset.sources or () if text is not None]
        if not prepared.by_text:
            return
        missing = sum(text.strip() not in prepared.by_text for text in sources)
        if missing:
            text = (
                f"{plural(missing, 'source')} of {len(sources):,} are not in {Path(self.list).name}, and have no terms"
            )
            yield Note(NoteKind.SUSPECT, text, where=self.name, count=missing, severity="warning")

    def _ready(self, testset: TestSet) -> _Prepared:
        return self.prepared or self._prepared(testset)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        table = np.zeros((len(testset.outputs), len(testset), len(self.columns)), dtype=np.int64)
        for system, segment, wanted, words in self._outputs(testset):
            found = Counter(number for _, _, number in _found(wanted, words))
            complete = all(found[number] == count for number, (_, count) in enumerate(wanted.terms))
            counts = (
                found.total(),
                sum(count for _, count in wanted.terms),
                len(found),
                len(wanted.terms),
                complete,
                1,
            )
            table[system, segment] = counts
        return table

    def _outputs(self, testset: TestSet) -> Iterator[tuple[int, int, _Wanted, Sequence[Word]]]:
        """The words of each output whose source has terms, and what these demand."""
        prepared, scorable = self._ready(testset), self.scorable(testset)
        outputs = list(testset.outputs.items())
        for segment in np.flatnonzero(scorable.any(axis=0)).tolist():
            wanted = self._wanted(testset, segment, prepared)
            if not wanted.terms:
                continue
            for system in np.flatnonzero(scorable[:, segment]).tolist():
                name, column = outputs[system]
                yield system, segment, wanted, self._words(testset, segment, name, column[segment] or "")

    def _wanted(self, testset: TestSet, segment: int, prepared: _Prepared) -> _Wanted:
        source = (testset.sources or ())[segment] or ""
        index = term_index(prepared.of(source), lowercase=self.lowercase)
        if not index.by_first:
            return _Wanted((), {})
        words = self._words(testset, segment, _SOURCE, source)
        counts = Counter(phrase for _, _, phrase in find_phrases(words, index.by_first))
        terms = tuple((index.translations[phrase], count) for phrase, count in counts.items())
        return _Wanted(terms, by_first(phrase for phrases, _ in terms for phrase in phrases))

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

    def score(self, totals: Table) -> FloatArray:
        values = dict(zip(self.columns, np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0), strict=True))
        found, required = (values[name] for name in _COUNTS[self.unit])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(required > 0, 100 * found / required, np.nan)

    def word_labels(self, testset: TestSet) -> WordLabels:
        """Words of the output that translate a term, and words of the reference that translate one it lacks."""
        by_output: dict[str, dict[int, tuple[LabelledSpan, ...]]] = {name: {} for name in testset.outputs}
        by_reference: dict[str, dict[int, tuple[str, tuple[LabelledSpan, ...]]]] = {
            name: {} for name in testset.outputs
        }
        for system, segment, wanted, words in self._outputs(testset):
            name = testset.systems[system]
            found = _found(wanted, words)
            by_output[name][segment] = _spans(words, [place[:2] for place in found], _FOUND)
            counts = Counter(number for _, _, number in found)
            missed = {number for number, (_, count) in enumerate(wanted.terms) if counts[number] < count}
            if (marked := self._in_reference(testset, segment, wanted, missed)) is not None:
                by_reference[name][segment] = marked
        return WordLabels(("found", "missed"), by_output, by_reference, ("missed",))

    def _in_reference(
        self, testset: TestSet, segment: int, wanted: _Wanted, missed: set[int]
    ) -> tuple[str, tuple[LabelledSpan, ...]] | None:
        """The first reference, with the terms that an output lacks."""
        for name, column in testset.references.items():
            if (text := column[segment]) is not None:
                words = split_words(text, lowercase=self.lowercase)
                places = [place[:2] for place in _found(wanted, words) if place[2] in missed]
                return name, _spans(words, places, _MISSED)
        return None

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"unit": get_args(_Unit)}


def _by_source(found: TermList, sources: Column, path: Path) -> Mapping[str, Terms]:
    """The terms of each line, by the text of its source; those of equal sources together."""
    if len(found.by_line) != len(sources):
        reason = f"has the terms of {plural(len(found.by_line), 'line')}, but there are {len(sources):,} segments"
        hint = 'write the texts, too: {"source": "…", "terms": {…}}'
        raise InputError(reason, path=str(path), hint=hint)
    by_text: dict[str, dict[str, tuple[str, ...]]] = {}
    for source, terms in zip(sources, found.by_line, strict=True):
        own = by_text.setdefault((source or "").strip(), {})
        for term, translations in terms:
            own[term] = tuple(dict.fromkeys((*own.get(term, ()), *translations)))
    return {text: tuple(terms.items()) for text, terms in by_text.items()}


def _found(wanted: _Wanted, words: Sequence[Word]) -> list[tuple[int, int, int]]:
    """Where terms are translated: the first word, the one after the last, and the number of the term."""
    places = find_phrases(words, wanted.translations)
    numbers = assign([phrase for _, _, phrase in places], wanted.terms)
    return [(*place[:2], number) for place, number in zip(places, numbers, strict=True) if number is not None]


def _spans(words: Sequence[Word], places: Iterable[tuple[int, int]], label: int) -> tuple[LabelledSpan, ...]:
    return tuple((word.start, word.end, label) for first, last in places for word in words[first:last])


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
