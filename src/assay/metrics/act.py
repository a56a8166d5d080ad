"""ACT (Hajlaoui & Popescu-Belis 2013): how many discourse connectives are translated as in the reference."""

from __future__ import annotations

import dataclasses
import functools
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from assay.contracts import AUTO
from assay.errors import AnnotationError, ConfigError, InputError, option_name
from assay.lexicons.connective_dictionary import ConnectiveDictionary, Occurrence
from assay.lexicons.connective_files import BUNDLED, find_dictionary, read_dictionary
from assay.lexicons.connective_patterns import word_starts
from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric
from assay.metrics.references import of_best_reference
from assay.options.checks import check_choice
from assay.types import Column, FloatArray, Note, NoteKind, Table, TestSet, aligned_words
from assay.types.annotation import ALIGNMENT_HINT
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Act", "ConnectiveCase"]

_Cases = Literal["1-6", "1-4"]
_LAYER = "alignment"
_COUNT = 6


@dataclass(frozen=True, slots=True)
class ConnectiveCase:
    """A source connective, its translations as the reference and the output have them (None: not found), and the case.

    1: the same; 2: another one with the senses of the reference; 3: others; 4: only in the reference; 5: only in
    the output; 6: in neither.
    """

    connective: str
    reference: str | None
    output: str | None
    case: int


@metric("act", aliases={"act5+6": {"cases": "1-4"}})
@dataclass(frozen=True)
class Act(AnnotatedMetric):
    """Share of the connectives of the source that are translated as in the reference, or by a synonym, 0 to 1.

    score = (case 1 + case 2) / (case 1 + … + case 6)

    Options: cases, in the denominator (1-6; 1-4: without connectives that the reference does not translate, as in
    act5+6); dictionary of connectives (auto: by language pair; en-de, en-fr; or the name or path of one);
    word_alignment, whether to choose between several possible translations by the annotation layer `alignment`. With
    several references a segment is scored against the one that gives the highest score.
    """

    labels = ("ACT",)
    undefined = "no connective of the dictionary was counted"

    cases: _Cases = "1-6"
    dictionary: str = AUTO
    word_alignment: bool = False

    def __post_init__(self) -> None:
        check_choice("cases", self.cases, get_args(_Cases))

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """Word alignments, if they are used."""
        return (_LAYER,) if self.word_alignment else ()

    @property
    def needs(self) -> frozenset[str]:
        """Source and reference, and word alignments if they are used."""
        return super().needs | {"source"}

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"case_{case}" for case in range(1, _COUNT + 1))

    def prepare(self, testset: TestSet) -> Act:
        if self.dictionary != AUTO:
            return self
        if testset.language_pair not in BUNDLED:
            pair = testset.lp or "an unknown language pair"
            hint = (
                f"set {option_name('lp')} if the pair is one of these, or give your own dictionary: act:dictionary=FILE"
            )
            raise ConfigError(f"act has no dictionary for {pair} (available: {', '.join(BUNDLED)})", hint=hint)
        return dataclasses.replace(self, dictionary=testset.language_pair)

    @property
    def resources(self) -> Mapping[str, str]:
        return {} if self.dictionary == AUTO else {"dictionary": find_dictionary(self.dictionary).digest}

    def _dictionary(self) -> ConnectiveDictionary:
        resource = find_dictionary(self.dictionary)
        return read_dictionary(resource.path, resource.digest)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references = testset.references
        table = np.zeros((len(references), len(testset.outputs), len(testset), _COUNT), dtype=np.int64)
        for r, s, segment, cases in self._cases(testset):
            table[r, s, segment] = np.bincount([case.case - 1 for case in cases], minlength=_COUNT)
        scores = np.where(self.usable_references(testset)[:, np.newaxis], self.score(table), np.nan)
        return of_best_reference(table, scores, tuple(references.values()))

    def connective_cases(self, testset: TestSet) -> dict[tuple[str, str, int], tuple[ConnectiveCase, ...]]:
        """(system, reference, segment) → the connectives of the source, where there are any."""
        references = list(testset.references)
        return {(testset.systems[s], references[r], i): cases for r, s, i, cases in self._cases(testset)}

    def _cases(self, testset: TestSet) -> Iterator[tuple[int, int, int, tuple[ConnectiveCase, ...]]]:
        dictionary = self._dictionary()
        alignments = testset.layer_texts(_LAYER)
        scorable, usable = self.scorable(testset), self.usable_references(testset)
        for segment, source in enumerate(testset.sources or ()):
            if source is None or not (connectives := list(dictionary.find_connectives(source))):
                continue
            references, outputs = (
                [
                    [side.translation(dictionary, connective) for connective in connectives]
                    for side in self._sides(segment, source, columns, layers)
                ]
                for columns, layers in zip((testset.references, testset.outputs), alignments, strict=True)
            )
            for r in np.flatnonzero(usable[:, segment]).tolist():
                for s in np.flatnonzero(scorable[:, segment]).tolist():
                    yield r, s, segment, tuple(map(_case, connectives, references[r], outputs[s]))

    def _sides(
        self, segment: int, source: str, columns: Mapping[str, Column], alignments: Sequence[Column]
    ) -> Iterator[_Side]:
        """The source with each translation; an absent one is empty."""
        for (name, column), alignment in zip(columns.items(), alignments, strict=True):
            yield self._side(segment, source, column[segment] or "", alignment[segment], name)

    def _side(self, segment: int, source: str, text: str, alignment: str | None, name: str) -> _Side:
        if not self.word_alignment or alignment is None:
            return _Side(source, text, None)
        faulty = functools.partial(AnnotationError, segment, layer=_LAYER, column=name, hint=ALIGNMENT_HINT)
        source_length, length = len(source.split()), len(text.split())
        pairs = []
        for pair in alignment.split():
            try:
                source_word, word = aligned_words(pair)
            except InputError as error:
                raise faulty(error.message) from None
            if source_word >= source_length or word >= length:
                lengths = f"the source has {plural(source_length, 'word')}, '{name}' has {plural(length, 'word')}"
                raise faulty(f"the alignment has the pair {pair}, but {lengths}")
            pairs.append((source_word, word))
        return _Side(source, text, pairs)

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(totals[..., :2].sum(axis=-1) / totals[..., : int(self.cases[-1])].sum(axis=-1))

    def advice(self, testset: TestSet) -> Iterator[Note]:
        if self.dictionary in BUNDLED:
            text = (
                "the dictionary is Assay's own: scores are not comparable with published ACT scores, such as those of "
                "WMT13"
            )
            yield Note(NoteKind.PROVENANCE, text, where=self.name)
            if testset.language_pair not in (None, self.dictionary):
                text = f"the dictionary {self.dictionary} has no connectives for {testset.lp}"
                yield Note(NoteKind.SUSPECT, text, where=self.name, severity="warning")
        yield from super().advice(testset)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"cases": get_args(_Cases)}


@dataclass(frozen=True)
class _Side:
    """A source and a translation of it, with the words that are aligned, if they are to be used.

    A long source may have many connectives, so what does not depend on their places is found once.
    """

    source: str
    text: str
    alignment: list[tuple[int, int]] | None
    found: dict[str, list[Occurrence]] = field(default_factory=dict)
    """The possible translations of connectives."""

    def translation(self, dictionary: ConnectiveDictionary, connective: Occurrence) -> Occurrence | None:
        """The translation of a connective: the first possible one, or the one that the word alignment points to."""
        if connective.form not in self.found:
            self.found[connective.form] = dictionary.find_translations(connective.form, self.text)
        translations = self.found[connective.form]
        if len(translations) < 2 or self.alignment is None:
            return translations[0] if translations else None
        source_words = range(*_places(self._source_starts, connective))
        aligned = sorted({word for source_word in source_words for word in self._aligned.get(source_word, ())})
        for translation in translations:
            if not set(range(*_places(self._starts, translation))).isdisjoint(aligned):
                return translation
        expected = aligned[0] - 1 if aligned else source_words.start
        return min(translations, key=lambda translation: abs(_places(self._starts, translation)[0] - expected))

    @functools.cached_property
    def _source_starts(self) -> list[int]:
        return word_starts(self.source)

    @functools.cached_property
    def _starts(self) -> list[int]:
        return word_starts(self.text)

    @functools.cached_property
    def _aligned(self) -> Mapping[int, Sequence[int]]:
        """The words that each word of the source is aligned with."""
        aligned: dict[int, list[int]] = {}
        for source_word, word in self.alignment or ():
            aligned.setdefault(source_word, []).append(word)
        return aligned


def _places(starts: Sequence[int], occurrence: Occurrence) -> tuple[int, int]:
    """The words that an occurrence covers: the first one, and the one after the last."""
    return bisect_right(starts, occurrence.start) - 1, bisect_right(starts, occurrence.end - 1)


def _case(connective: Occurrence, reference: Occurrence | None, output: Occurrence | None) -> ConnectiveCase:
    if reference is None or output is None:
        case = 6 if reference is output else 5 if reference is None else 4
    elif reference.form == output.form:
        case = 1
    else:
        case = 2 if reference.senses and reference.senses <= output.senses else 3
    reference_text, output_text = (
        None if translation is None else translation.text for translation in (reference, output)
    )
    return ConnectiveCase(connective.form, reference_text, output_text, case)
