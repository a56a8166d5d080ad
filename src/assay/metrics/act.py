"""ACT (Hajlaoui & Popescu-Belis 2013): how many discourse connectives are translated as in the reference."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay.checks import check_choice
from assay.contracts import Metric
from assay.errors import ConfigError, SegmentError, option, printable
from assay.metrics import metric
from assay.metrics.connective_dictionary import (
    BUNDLED,
    ConnectiveDictionary,
    Occurrence,
    find_dictionary,
    read_dictionary,
)
from assay.metrics.references import of_best_reference
from assay.runtime import Runtime
from assay.types import FloatArray, Table, TestSet

__all__ = ["Act", "ConnectiveCase"]

_Cases = Literal["1-6", "1-4"]
_AUTO = "auto"
_LAYER = "alignment"
_COUNT = 6


@dataclass(frozen=True, slots=True)
class ConnectiveCase:
    """A connective of a source, its translations (None: not found), and the case that they are.

    1: the same; 2: another one with the senses of the reference; 3: others; 4: only in the reference; 5: only in
    the output; 6: in neither.
    """

    connective: str
    reference: str | None
    output: str | None
    case: int


@metric("act", aliases={"act5+6": {"cases": "1-4"}})
@dataclass(frozen=True)
class Act(Metric):
    """Share of the connectives of the source that are translated as in the reference, or by a synonym, 0 to 1.

    score = (case 1 + case 2) / (case 1 + … + case 6)

    Options: cases, in the denominator (1-6; 1-4: without connectives that the reference does not translate, as in
    act5+6); dictionary of connectives (auto: by language pair; en-de, en-fr; or the name or path of one);
    word_alignment, whether to choose between several possible translations by the annotation layer `alignment`. With
    several references a segment is scored against the one that gives the highest score.
    """

    score_options: ClassVar[frozenset[str]] = frozenset({"cases"})
    undefined = "no connective of the dictionary was counted"

    cases: _Cases = "1-6"
    dictionary: str = _AUTO
    word_alignment: bool = False

    def __post_init__(self) -> None:
        check_choice("cases", self.cases, get_args(_Cases))

    @property
    def needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        """Source and reference, and word alignments if they are used."""
        return frozenset({"source", "reference", *([_LAYER] if self.word_alignment else [])})

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"case_{case}" for case in range(1, _COUNT + 1))

    def prepare(self, testset: TestSet) -> Act:
        if self.dictionary != _AUTO:
            return self
        pair = "-".join(language.partition("_")[0].lower() for language in (testset.lp or "").split("-"))
        if pair not in BUNDLED:
            known = " and ".join(BUNDLED)
            which = f"{testset.lp} is another language pair" if testset.lp else "the language pair is not known"
            hint = f"give {option('lp', 'en-fr')} if it is this one, or your own dictionary: act:dictionary=FILE"
            raise ConfigError(f"act has dictionaries for {known}; {which}", hint=hint)
        return dataclasses.replace(self, dictionary=pair)

    @property
    def resources(self) -> Mapping[str, str]:
        return {} if self.dictionary == _AUTO else {"dictionary": find_dictionary(self.dictionary).digest}

    def _dictionary(self) -> ConnectiveDictionary:
        resource = find_dictionary(self.dictionary)
        return read_dictionary(resource.path, resource.digest)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references = tuple(testset.references.values())
        table = np.zeros((len(references), len(testset.outputs), len(testset), _COUNT), dtype=np.int64)
        for r, s, segment, cases in self._cases(testset):
            table[r, s, segment] = np.bincount([case.case - 1 for case in cases], minlength=_COUNT)
        return of_best_reference(table, _shares(table, _COUNT), references)

    def connective_cases(self, testset: TestSet) -> dict[tuple[str, str, int], tuple[ConnectiveCase, ...]]:
        """(system, reference, segment) → the connectives of the source, where there are any."""
        references = list(testset.references)
        return {(testset.systems[s], references[r], i): cases for r, s, i, cases in self._cases(testset)}

    def _cases(self, testset: TestSet) -> Iterator[tuple[int, int, int, tuple[ConnectiveCase, ...]]]:
        dictionary = self._dictionary()
        alignments = testset.layer_texts(_LAYER)
        scorable = testset.scorable(self.needs)
        for segment, source in enumerate(testset.sources or ()):
            if source is None or not (connectives := list(dictionary.connectives(source))):
                continue
            for r, (name, column) in enumerate(testset.references.items()):
                if (reference := column[segment]) is None:
                    continue
                theirs = self._side(source, reference, alignments[0][r][segment], name, segment)
                for s, (system, texts) in enumerate(testset.outputs.items()):
                    if not scorable[s, segment]:
                        continue
                    ours = self._side(source, texts[segment] or "", alignments[1][s][segment], system, segment)
                    yield r, s, segment, tuple(_case(dictionary, each, theirs, ours) for each in connectives)

    def _side(self, source: str, text: str, alignment: str | None, name: str, segment: int) -> _Side:
        if not self.word_alignment or alignment is None:
            return _Side(source, text, None)
        hint = "pairs of source and target words, counted from 0 and separated by white space, such as 0-0 1-2"
        if not all(re.fullmatch(r"\d+-\d+", pair) for pair in alignment.split()):
            reason = f"of the word alignment of '{name}' is not in Pharaoh format: '{printable(alignment)}'"
            raise SegmentError(segment, reason, hint=hint)
        pairs = [(int(own), int(other)) for own, other in (pair.split("-") for pair in alignment.split())]
        lengths = len(source.split()), len(text.split())
        if any(own >= lengths[0] or other >= lengths[1] for own, other in pairs):
            reason = f"of the word alignment of '{name}' has more words than the texts: {lengths[0]} and {lengths[1]}"
            raise SegmentError(segment, reason, hint=hint)
        return _Side(source, text, pairs)

    def score(self, totals: Table) -> FloatArray:
        return _shares(totals, int(self.cases[-1]))

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"cases": get_args(_Cases)}


def _shares(totals: Table, cases: int) -> FloatArray:
    """Cases 1 and 2 among the first cases."""
    totals = np.asarray(totals, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(totals[..., :2].sum(axis=-1) / totals[..., :cases].sum(axis=-1))


@dataclass(frozen=True, slots=True)
class _Side:
    """A source and a translation of it, with the words that are aligned, if they are to be used."""

    source: str
    text: str
    alignment: list[tuple[int, int]] | None

    def translation(self, dictionary: ConnectiveDictionary, connective: Occurrence) -> Occurrence | None:
        """The translation of a connective: the first possible one, or the one that the word alignment points to."""
        found = dictionary.found(connective.form, self.text)
        if len(found) < 2 or self.alignment is None:
            return found[0] if found else None
        own = range(*_places(self.source, connective))
        aligned = sorted({target for source, target in self.alignment if source in own})
        for each in found:
            if not set(range(*_places(self.text, each))).isdisjoint(aligned):
                return each
        wanted = aligned[0] - 1 if aligned else own.start
        return min(found, key=lambda each: abs(_places(self.text, each)[0] - wanted))


def _places(text: str, occurrence: Occurrence) -> tuple[int, int]:
    """The words, separated by white space, that an occurrence covers: the first one, and the one after the last."""
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    return bisect_right(starts, occurrence.start) - 1, bisect_right(starts, occurrence.end - 1)


def _case(dictionary: ConnectiveDictionary, connective: Occurrence, theirs: _Side, ours: _Side) -> ConnectiveCase:
    reference, output = theirs.translation(dictionary, connective), ours.translation(dictionary, connective)
    if reference is None or output is None:
        case = 6 if reference is output else 5 if reference is None else 4
    elif reference.form == output.form:
        case = 1
    else:
        case = 2 if reference.senses and reference.senses <= output.senses else 3
    forms = [None if each is None else each.form for each in (reference, output)]
    return ConnectiveCase(connective.form, forms[0], forms[1], case)
