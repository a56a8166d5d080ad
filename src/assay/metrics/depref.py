"""DEPREF (Wu, Yu & Liu 2013), later RED: structures of the reference's dependency tree that occur in the output.

The paper does not give enough to compute the published numbers, and no program is public. What is computed here follows
the idea of RED with explicit options, and says in every signature that it is unverified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay.checks import check_choice
from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, words_and_heads
from assay.types import FloatArray, Note, NoteKind, Table, TestSet

__all__ = ["Depref"]

_Structures = Literal["all", "chains", "subtrees"]
_Definition = Literal["red-style-unverified"]
_MAX_ORDER = 20


@dataclass(frozen=True, slots=True)
class _ReferenceStructures:
    """The structures of a reference by their words: chains may have gaps in the output, subtrees may not."""

    chains: Counter[tuple[str, ...]]
    subtrees: Counter[tuple[str, ...]]


@metric("depref-exact")
@dataclass(frozen=True)
class Depref(LayerMetric[_ReferenceStructures, list[str]]):
    """F-score of dependency structures of the reference that occur in the output, RED-style and unverified, 0 to 1.

    score = mean over n of P * R / (alpha * P + (1 - alpha) * R); P = matches / n-grams of the output, R = matches /
    structures of the reference, both of n words

    Structures are chains of a word, its head, the head of that, and so on, whose words must be in the output in the
    order of the reference, and subtrees of neighbouring words, which must be neighbours in the output.

    Options: max_order, the largest structures; alpha, the weight of recall; structures (all, chains, subtrees);
    lowercase; definition, which is always the same. It needs the annotation layers tokens, and dependencies of the
    references. With several references a segment is scored against the one that gives the highest score.
    """

    reference_layers: ClassVar[tuple[str, ...]] = ("tokens", "dependencies")
    output_layers: ClassVar[tuple[str, ...]] = ("tokens",)
    undefined = "the references have no words"
    score_options: ClassVar[frozenset[str]] = frozenset({"alpha"})

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

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("matches", "ngrams", "structures")
        return tuple(f"{kind}_{n}" for n in range(1, self.max_order + 1) for kind in kinds)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        text = "RED-style, unverified: the published metric is not described well enough to compute the same numbers"
        yield Note(NoteKind.PROVENANCE, text, where=self.name)

    def read_reference(self, *layers: str) -> _ReferenceStructures:
        tokens, heads = words_and_heads(*layers)
        words = self._words(tokens)
        chains = set(_chains(heads, self.max_order))
        subtrees = set(_subtrees(heads, self.max_order)) - chains  # a chain may be a subtree: it counts once
        if self.structures == "chains":
            subtrees = set()
        if self.structures == "subtrees":
            subtrees |= {chain for chain in chains if chain[-1] - chain[0] == len(chain) - 1}
            chains = set()
        return _ReferenceStructures(_counted(chains, words), _counted(subtrees, words))

    def read_output(self, *layers: str) -> list[str]:
        return self._words(layers[0].split())

    def _words(self, tokens: list[str]) -> list[str]:
        return [token.lower() for token in tokens] if self.lowercase else tokens

    def compare(self, reference: _ReferenceStructures, output: list[str]) -> Sequence[int]:
        row = [0] * (3 * self.max_order)
        for n in range(1, self.max_order + 1):
            row[3 * n - 2] = max(0, len(output) - n + 1)
        places: dict[str, list[int]] = {}
        for place, word in enumerate(output):
            places.setdefault(word, []).append(place)
        ngrams = Counter(
            tuple(output[i : i + n]) for n in range(1, self.max_order + 1) for i in range(len(output) - n + 1)
        )
        for chain, count in reference.chains.items():
            row[3 * len(chain) - 3] += min(count, _occurrences(chain, places))
            row[3 * len(chain) - 1] += count
        for subtree, count in reference.subtrees.items():
            row[3 * len(subtree) - 3] += min(count, ngrams[subtree])
            row[3 * len(subtree) - 1] += count
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


def _counted(structures: Iterable[tuple[int, ...]], words: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[place] for place in places) for places in structures)


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
