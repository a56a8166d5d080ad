"""DEPREF (Wu, Yu & Liu 2013), later RED: structures of the reference's dependency tree that occur in the output.

The paper does not give enough to compute the published numbers, and no program is public. What is computed here follows
the idea of RED with explicit options, and says in every signature that it is unverified.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.contracts import AUTO
from assay.metrics import metric
from assay.metrics.dependencies import Places, head_chains, words_and_heads
from assay.metrics.layer_metric import LayerMetric, LayerTexts, token_columns
from assay.metrics.long_lines import too_long
from assay.metrics.tokenized_texts import TokenizedTexts, check_lengths
from assay.options.checks import check_choice, check_integer
from assay.registry import NestedSpec
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, as_column
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    from assay.metrics.meteor import Meteor

__all__ = ["Depref"]

_Kinds = Literal["all", "chains", "subtrees"]
_DEFINITION = "red-style-unverified"
_MAX_ORDER = 20


@dataclass(frozen=True, slots=True, eq=False)
class _Structures:
    """Structures of a reference with the same number of words; those of a segment come one after another."""

    places: Places
    """(structure, word), in the order of the text."""
    starts: npt.NDArray[np.int64]
    """Where those of each segment start, and the end."""
    has_gaps: bool
    """Whether other words may be between them in an output."""


_Matches: TypeAlias = Callable[[int, _Structures], npt.NDArray[np.int64]]
"""The number of a reference and structures of it → (system, segment): how many of the structures the output has."""


@metric("depref-exact", aliases={"depref-align": {"aligner": "meteor", "lowercase": True}})
@dataclass(frozen=True)
class Depref(LayerMetric):
    """F-score of dependency structures of the reference that occur in the output, RED-style and unverified, 0 to 1.

    score = mean over n of P * R / (alpha * P + (1 - alpha) * R); P = matches / n-grams of the output, R = matches /
    structures of the reference, both of n words

    Structures are chains of a word, its head, the head of that, and so on, whose words must be in the output in the
    order of the reference, and subtrees of neighbouring words, which must be neighbours in the output.

    Options: aligner, whose matches of words count (depref-align: meteor; without one, equal words match); max_order,
    the largest structures; alpha, the weight of recall; structures (all, chains, subtrees); lowercase. It needs the
    annotation layers tokens, and dependencies of the references. With several references a segment is scored against
    the one that gives the highest score.
    """

    labels = ("DEPREF",)

    undefined = "the references have no words"

    aligner: NestedSpec = ""
    max_order: int = 3
    alpha: float = 0.5
    structures: _Kinds = "all"
    lowercase: bool = False
    automatic: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The options of the aligner that `prepare` chose."""

    def __post_init__(self) -> None:
        check_choice("structures", self.structures, get_args(_Kinds))
        check_integer("max_order", self.max_order, 1, _MAX_ORDER)
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
        if aligner.tok not in (AUTO, "space"):
            raise ValueError(f"tok={aligner.tok} has no effect: words are those of the annotation layer tokens")
        if aligner.lowercase not in (True, self.lowercase):
            raise ValueError("lowercase is an option of the metric, not of its aligner")
        return dataclasses.replace(aligner, tok="space", lowercase=self.lowercase, automatic=self.automatic)

    def prepare(self, testset: TestSet) -> Depref:
        """This metric with an aligner that has all options set for the target language."""
        if not self.aligner:
            return self
        aligner = self._meteor().prepare(testset)
        return dataclasses.replace(self, aligner=metric.spec(aligner), automatic=aligner.automatic)

    @property
    def resources(self) -> Mapping[str, str]:
        """Those of the aligner, and the definition, so that every signature says that it is unverified."""
        return {**(self._meteor().resources if self.aligner else {}), "definition": _DEFINITION}

    @property
    def reference_layers(self) -> tuple[str, ...]:
        return ("tokens", "dependencies")

    @property
    def output_layers(self) -> tuple[str, ...]:
        return ("tokens",)

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("matches", "ngrams", "structures")
        return tuple(f"{kind}_{n}" for n in range(1, self.max_order + 1) for kind in kinds)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        text = "RED-style, unverified: the published metric is not described well enough to compute the same numbers"
        yield Note(NoteKind.PROVENANCE, text, where=self.name)
        yield from super().advice(testset)
        if self.aligner:
            yield from self._aligner_advice(testset)

    def _aligner_advice(self, testset: TestSet) -> Iterator[Note]:
        """The aligner's own notes on the language, and which of its modules are missing."""
        aligner = self._meteor()
        blank = dict.fromkeys(testset.outputs, as_column([""] * len(testset)))  # no advice on tokenisers
        for note in aligner.advice(dataclasses.replace(testset, outputs=blank)):
            if note.kind != NoteKind.MISSING:  # that is about METEOR scores
                yield dataclasses.replace(note, where=self.name)
        if lacking := aligner.lacking_modules:
            text = f"words are aligned without METEOR's modules {', '.join(lacking)}, whose files were not found"
            yield Note(NoteKind.MISSING, text, where=self.name, severity="warning")

    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        tokens, heads = words_and_heads(texts, lowercase=self.lowercase)
        references, systems = len(heads), len(texts.outputs)
        tables = np.zeros((references, systems, len(tokens.present[0]), 3 * self.max_order), dtype=np.int64)
        for n in range(1, self.max_order + 1):
            for system in range(systems):
                tables[:, system, :, 3 * n - 2] = np.maximum(tokens.lengths(references + system) - n + 1, 0)
        matches = (
            self._aligned_matches(texts, tokens, runtime) if self.aligner else _equal_matches(texts, tokens, runtime)
        )
        for reference, places in enumerate(heads):
            for structures in _structures(places, tokens.starts[reference], self.structures, self.max_order):
                end = 3 * structures.places.shape[1]
                tables[reference, :, :, end - 3] += matches(reference, structures)
                tables[reference, :, :, end - 1] += np.diff(structures.starts)
        return tables

    def _aligned_matches(self, texts: LayerTexts, tokens: TokenizedTexts, runtime: Runtime) -> _Matches:
        """Structures match if their words are aligned with words of the output in the same order."""
        names = (*(f"reference '{name}'" for name in texts.references), *(f"'{name}'" for name in texts.outputs))
        check_lengths(tokens, "depref-align", names, 0)
        references, systems, segments = len(texts.references), len(texts.outputs), len(tokens.present[0])
        matches, starts = self._meteor().align(tokens, references, runtime)
        spans = [
            _aligned_spans(matches, starts[pair * segments : (pair + 1) * segments + 1], tokens.starts[pair // systems])
            for pair in range(references * systems)
        ]

        def aligned(reference: int, structures: _Structures) -> npt.NDArray[np.int64]:
            counts = []
            for starts_and_ends in spans[reference * systems : (reference + 1) * systems]:
                of_structures = (side[structures.places] for side in starts_and_ends)
                is_matched = _are_in_order(*of_structures, has_gaps=structures.has_gaps)
                counts.append(np.diff(np.append(0, np.cumsum(is_matched))[structures.starts]))
            return np.array(counts)

        return aligned

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
        return {"structures": get_args(_Kinds), "lowercase": (False, True), "alpha": (0.5, 0.9)}


def _structures(heads: Places, starts: npt.NDArray[np.int64], kinds: _Kinds, max_order: int) -> Iterator[_Structures]:
    """Chains, and subtrees that are not chains; if only subtrees are wanted, all of them."""

    def structures(firsts: Places, places: Places, *, has_gaps: bool) -> _Structures:
        return _Structures(places, np.searchsorted(firsts, starts), has_gaps)

    ends = np.repeat(starts[1:], np.diff(starts))
    chain: list[Places] = []
    for n, words in enumerate(head_chains(heads, max_order), 1):
        chain.append(words)
        firsts = np.flatnonzero(words >= 0)
        chains = np.sort(np.stack(chain, axis=1)[firsts], axis=1)
        subtrees = _subtrees(heads, ends, n)
        if kinds == "all":
            neighbours = chains[chains[:, -1] - chains[:, 0] == n - 1, 0]
            subtrees = np.setdiff1d(subtrees, neighbours, assume_unique=True)
        if kinds != "subtrees":
            yield structures(firsts, chains, has_gaps=True)
        if kinds != "chains":
            yield structures(subtrees, subtrees[:, np.newaxis] + np.arange(n), has_gaps=False)


def _subtrees(heads: Places, ends: Places, n: int) -> Places:
    """Neighbouring words in which all but one have their head among the others: the places of their first words.

    `ends` has for each word the end of its segment.
    """
    firsts = np.flatnonzero(np.arange(len(heads)) + n <= ends)
    inside = np.zeros(len(firsts), dtype=np.int64)
    for k in range(n):
        inside += (heads[firsts + k] >= firsts) & (heads[firsts + k] < firsts + n)
    subtrees: Places = firsts[inside == n - 1]
    return subtrees


def _equal_matches(texts: LayerTexts, tokens: TokenizedTexts, runtime: Runtime) -> _Matches:
    """Structures match if their words are in the output; equal ones as often as the output has them."""
    outputs = token_columns(tokens, tokens.rows)[len(texts.references) :]

    def equal(reference: int, structures: _Structures) -> npt.NDArray[np.int64]:
        words = tokens.rows[reference][structures.places]
        try:
            return _core.sequence_matches(words, structures.starts, outputs, structures.has_gaps, runtime.threads)
        except _core.TooLongError as error:
            names = texts.outputs, texts.references[reference:]
            unit = "different structures "
            raise too_long(error, "depref-exact", *names, reference_unit=unit, is_adjustable=False) from None

    return equal


def _aligned_spans(
    matches: npt.NDArray[np.int32], starts: npt.NDArray[np.int64], segments: npt.NDArray[np.int64]
) -> tuple[Places, Places]:
    """For each word of a reference, the start and the end of the words of the output that it is aligned with.

    `matches` are those of METEOR, `starts` says where those of each segment start, and `segments` where its words do.
    """
    counts = np.diff(starts)
    first, length, output, output_length = matches[starts[0] : starts[-1], :4].T.astype(np.int64)
    match = np.repeat(np.arange(len(length)), length)  # of each word
    place_in_match = np.arange(len(match)) - np.repeat(np.cumsum(length) - length, length)
    places = (np.repeat(segments[:-1], counts) + first)[match] + place_in_match
    start, end = np.full((2, segments[-1]), -1)
    start[places], end[places] = output[match], (output + output_length)[match]
    return start, end


def _are_in_order(starts: Places, ends: Places, *, has_gaps: bool) -> npt.NDArray[np.bool_]:
    """Whether all words of a structure are aligned, each with words after the last or, in a phrase, with the same."""
    is_same = starts[:, 1:] == starts[:, :-1]
    follows = starts[:, 1:] >= ends[:, :-1] if has_gaps else starts[:, 1:] == ends[:, :-1]
    in_order: npt.NDArray[np.bool_] = (starts >= 0).all(axis=1) & (is_same | follows).all(axis=1)
    return in_order
