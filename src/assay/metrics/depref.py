"""DEPREF (Wu, Yu & Liu 2013), later RED: structures of the reference's dependency tree that occur in the output.

The paper does not give enough to compute the published numbers, and no program is public. What is computed here follows
the idea of RED with explicit options, and says in every signature that it is unverified.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from assay.checks import check_choice
from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, words_and_heads
from assay.registry import NestedSpec
from assay.runtime import Runtime
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, as_column

if TYPE_CHECKING:
    from assay.metrics.meteor import Alignment, Meteor

__all__ = ["Depref"]

_Structures = Literal["all", "chains", "subtrees"]
_Definition = Literal["red-style-unverified"]
_MAX_ORDER = 20

_Span: TypeAlias = tuple[int, int]
_Places: TypeAlias = dict[int, _Span]
"""The place of a word of the reference → start and end of the words of the output that it is aligned with."""


@dataclass(frozen=True, slots=True)
class _Reference:
    """The structures of a reference, by the places of their words: chains may have gaps in the output, subtrees not."""

    words: list[str]
    chains: tuple[tuple[int, ...], ...]
    subtrees: tuple[tuple[int, ...], ...]


@metric("depref-exact", aliases={"depref-align": {"aligner": "meteor", "lowercase": True}})
@dataclass(frozen=True)
class Depref(LayerMetric[_Reference, list[str]]):
    """F-score of dependency structures of the reference that occur in the output, RED-style and unverified, 0 to 1.

    score = mean over n of P * R / (alpha * P + (1 - alpha) * R); P = matches / n-grams of the output, R = matches /
    structures of the reference, both of n words

    Structures are chains of a word, its head, the head of that, and so on, whose words must be in the output in the
    order of the reference, and subtrees of neighbouring words, which must be neighbours in the output.

    Options: aligner, whose matches of words count (depref-align: meteor; without one, equal words match); max_order,
    the largest structures; alpha, the weight of recall; structures (all, chains, subtrees); lowercase; definition,
    which is always the same. It needs the annotation layers tokens, and dependencies of the references. With several
    references a segment is scored against the one that gives the highest score.
    """

    reference_layers: ClassVar[tuple[str, ...]] = ("tokens", "dependencies")
    output_layers: ClassVar[tuple[str, ...]] = ("tokens",)
    undefined = "the references have no words"
    score_options: ClassVar[frozenset[str]] = frozenset({"alpha"})

    aligner: NestedSpec = ""
    max_order: int = 3
    alpha: float = 0.5
    structures: _Structures = "all"
    lowercase: bool = False
    definition: _Definition = "red-style-unverified"

    def __post_init__(self) -> None:
        check_choice("structures", self.structures, get_args(_Structures))
        check_choice("definition", self.definition, get_args(_Definition))
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must be between 0 and 1, not {self.alpha:g}")
        if self.aligner:
            self._meteor()

    def _meteor(self) -> Meteor:
        """The aligner, for tokens with spaces between them."""
        from assay.metrics.meteor import Meteor  # and its files, which exact matches do without

        aligner = metric.create(self.aligner)
        if not isinstance(aligner, Meteor):
            raise ValueError(f"the aligner must be meteor, not {aligner.name}")
        return dataclasses.replace(aligner, tok="space", lowercase=self.lowercase)

    def prepare(self, testset: TestSet) -> Depref:
        """This metric with an aligner that has all options set for the target language."""
        if not self.aligner:
            return self
        return dataclasses.replace(self, aligner=metric.spec(self._meteor().prepare(testset)))

    @property
    def resources(self) -> Mapping[str, str]:
        """Those of the aligner."""
        return self._meteor().resources if self.aligner else {}

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("matches", "ngrams", "structures")
        return tuple(f"{kind}_{n}" for n in range(1, self.max_order + 1) for kind in kinds)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        text = "RED-style, unverified: the published metric is not described well enough to compute the same numbers"
        yield Note(NoteKind.PROVENANCE, text, where=self.name)

    def read_reference(self, *layers: str) -> _Reference:
        tokens, heads = words_and_heads(*layers)
        chains = set(_chains(heads, self.max_order))
        subtrees = set(_subtrees(heads, self.max_order)) - chains  # a chain may be a subtree: it counts once
        if self.structures == "chains":
            subtrees = set()
        if self.structures == "subtrees":
            subtrees |= {chain for chain in chains if chain[-1] - chain[0] == len(chain) - 1}
            chains = set()
        return _Reference(self._words(tokens), tuple(sorted(chains)), tuple(sorted(subtrees)))

    def read_output(self, *layers: str) -> list[str]:
        return self._words(layers[0].split())

    def _words(self, tokens: list[str]) -> list[str]:
        return [token.lower() for token in tokens] if self.lowercase else tokens

    def rows(self, pairs: Sequence[tuple[_Reference, list[str]]], runtime: Runtime) -> Iterable[Sequence[int]]:
        if not self.aligner or not pairs:
            return super().rows(pairs, runtime)
        references, outputs = (as_column(" ".join(words) for words in side) for side in _sides(pairs))
        found = self._meteor().alignments(outputs, references, runtime)
        return (self._row(*pair, _aligned(alignment)) for pair, alignment in zip(pairs, found, strict=True))

    def compare(self, reference: _Reference, output: list[str]) -> Sequence[int]:
        return self._row(reference, output, None)

    def _row(self, reference: _Reference, output: list[str], aligned: _Places | None) -> Sequence[int]:
        row = [0] * (3 * self.max_order)
        for n in range(1, self.max_order + 1):
            row[3 * n - 2] = max(0, len(output) - n + 1)
        for structure in (*reference.chains, *reference.subtrees):
            row[3 * len(structure) - 1] += 1
        if aligned is not None:
            matches: Iterable[int] = _matches_of_places(reference, aligned)
        else:
            matches = _matches_of_words(reference, output, self.max_order)
        for size in matches:
            row[3 * size - 3] += 1
        return row

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        matches, ngrams, structures = (totals[..., i::3] for i in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.minimum(matches / ngrams, 1.0)  # there may be more structures than n-grams
            recall = matches / structures
            scores = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        scores = np.where(matches > 0, scores, 0.0)
        orders = (structures > 0).sum(axis=-1)  # a short reference has no large structures
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(orders > 0, scores.sum(axis=-1) / orders, np.nan)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"structures": get_args(_Structures), "lowercase": (False, True), "alpha": (0.5, 0.9)}


def _chains(heads: Sequence[int], max_order: int) -> Iterator[tuple[int, ...]]:
    """Words that are each the head of another, in the order of the text."""
    for start in range(len(heads)):
        chain: list[int] = []
        place = start
        while place >= 0 and len(chain) < max_order:
            chain.append(place)
            yield tuple(sorted(chain))
            place = heads[place]


def _subtrees(heads: Sequence[int], max_order: int) -> Iterator[tuple[int, ...]]:
    """Neighbouring words of which all but one depend on another of them."""
    for n in range(1, max_order + 1):
        for first in range(len(heads) - n + 1):
            places = range(first, first + n)
            if sum(heads[place] in places for place in places) == n - 1:
                yield tuple(places)


def _matches_of_words(reference: _Reference, output: list[str], max_order: int) -> Iterator[int]:
    """The sizes of the structures whose words are in the output; of equal ones, as many as the output has."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(output):
        places.setdefault(word, []).append(place)
    ngrams = Counter(tuple(output[i : i + n]) for n in range(1, max_order + 1) for i in range(len(output) - n + 1))
    words = reference.words
    for chain, count in Counter(tuple([words[i] for i in chain]) for chain in reference.chains).items():
        yield from [len(chain)] * min(count, _occurrences(chain, places))
    for subtree, count in Counter(tuple([words[i] for i in subtree]) for subtree in reference.subtrees).items():
        yield from [len(subtree)] * min(count, ngrams[subtree])


def _matches_of_places(reference: _Reference, aligned: _Places) -> Iterator[int]:
    """The sizes of the structures whose words are aligned with words of the output in the same order."""
    for structures, has_gaps in ((reference.chains, True), (reference.subtrees, False)):
        for structure in structures:
            spans = [aligned.get(place) for place in structure]
            if all(map(_follows(has_gaps=has_gaps), spans, (*spans[1:], spans[-1]))):
                yield len(structure)


def _follows(*, has_gaps: bool) -> Callable[[_Span | None, _Span | None], bool]:
    """Whether words of the output follow others, or are the same, matched as one phrase."""

    def follows(span: _Span | None, other: _Span | None) -> bool:
        if span is None or other is None:
            return False
        return span == other or (span[1] <= other[0] if has_gaps else span[1] == other[0])

    return follows


def _aligned(alignment: Alignment | None) -> _Places:
    """Where in the output the words of the reference are."""
    if alignment is None:
        return {}
    return {
        place: (match.output.start, match.output.stop)
        for match in alignment.matches
        for place in range(match.reference.start, match.reference.stop)
    }


def _sides(pairs: Sequence[tuple[_Reference, list[str]]]) -> tuple[list[list[str]], list[list[str]]]:
    """The words of the references and of the outputs."""
    return [reference.words for reference, _ in pairs], [output for _, output in pairs]


def _occurrences(chain: tuple[str, ...], places: Mapping[str, list[int]]) -> int:
    """How often the words occur one after the other, each word of the text used once."""
    if len(chain) == 1:
        return len(places.get(chain[0], ()))
    if not all(word in places for word in chain):
        return 0
    count, after = 0, -1
    while True:
        for word in chain:
            following = next((place for place in places[word] if place > after), None)
            if following is None:
                return count
            after = following
        count += 1
