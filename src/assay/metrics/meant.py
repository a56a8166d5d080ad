"""MEANT and UMEANT (Lo & Wu 2011; Lo, Tumuluru & Wu 2012): who did what to whom, in the output as in the reference.

The original program was never public. The formulas are those of the papers; what they leave open is as in PyMEANT, a
public program of a third party without weights.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.frames import (
    FRAME_LAYERS,
    ColumnFrames,
    FrameSource,
    Places,
    best_pairs,
    frame_advice,
    frames_in,
    phrases,
    products,
    refuse_encoder,
    texts_of_references,
)
from assay.metrics.layer_metric import LayerMetric, LayerTexts
from assay.metrics.token_vectors import EmbeddedTexts, WordVectors, find_token_vectors
from assay.metrics.tokenized_texts import TokenizedTexts, check_lengths
from assay.metrics.word_similarity import Comparison, Similarity, by_form, by_vectors
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.types import FloatArray, Mask, Note, Table, TestSet, as_column, base_label, digest_of_column, ratio_of_sums
from assay.types.runtime import Runtime
from assay.types.semantic_roles import PREDICATE

__all__ = ["Meant"]

_Weights = Literal["uniform", "references"]
_Unaligned = Literal["ignored", "counted"]
_Frameless = Literal["undefined", "one"]
_OF_PREDICATES = 0.25  # how much their frequency counts, against that of an argument
_DIGITS = 16  # of a digest in signatures


@metric("meant", aliases={"umeant": {"weights": "references"}})
@dataclass(frozen=True)
class Meant(LayerMetric):
    """F-score of semantic frames with similar predicates and arguments, reported as the segment mean, 0 to 1.

    score = 2 * P * R / (P + R); P = sum over frames of the output of m * q / sum of m, R alike of the reference, where
    m = words of the frame, q = sum over its roles of weight * similarity of phrases / sum of weights

    Options: frames, where they come from (roles: the annotation layer of a role labeller; dependencies, a substitute:
    verbs and what depends on them); weights, of roles (uniform; references: how frequent they are there, as in UMEANT);
    unaligned, frames without a partner (ignored, as in the papers; counted, as 0); frameless, segments without a frame
    on either side (undefined; one: they score 1); similarity, of two words (vectors: their cosine; lcs: their longest
    common substring; exact); vectors, of words (the name of a resource or a path); lowercase. With several references a
    segment is scored against the one that gives the highest score.
    """

    labels = ("MEANT", "UMEANT")
    default_aggregation: ClassVar[str] = "segment"
    undefined = "neither the output nor the reference has a frame"

    frames: FrameSource = "roles"
    weights: _Weights = "uniform"
    unaligned: _Unaligned = "ignored"
    frameless: _Frameless = "undefined"
    similarity: Similarity = "vectors"
    vectors: NestedSpec = ""
    lowercase: bool = True
    role_counts: Mapping[str, int] | None = field(default=None, compare=False, repr=False)
    """How often the references have each role."""

    def __post_init__(self) -> None:
        check_choice("frames", self.frames, get_args(FrameSource))
        check_choice("weights", self.weights, get_args(_Weights))
        check_choice("unaligned", self.unaligned, get_args(_Unaligned))
        check_choice("frameless", self.frameless, get_args(_Frameless))
        check_choice("similarity", self.similarity, get_args(Similarity))
        if self.similarity != "vectors" and self.vectors:
            raise ValueError(f"similarity={self.similarity} compares the letters of words and takes no vectors")

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """The words, and what frames are read from."""
        return FRAME_LAYERS[self.frames]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("value", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        resources = {"vectors": self._word_vectors().digest} if self.similarity == "vectors" else {}
        if self.role_counts is not None:
            counts = as_column(f"{role} {count}" for role, count in sorted(self.role_counts.items()))
            resources["roles"] = digest_of_column(counts)[:_DIGITS]
        return resources

    def _word_vectors(self) -> WordVectors:
        if not self.vectors:
            hint = f"e.g. {self.name}:vectors=wink-en, or {self.name}:similarity=lcs, which needs none"
            raise ConfigError(f"the metric {self.name} needs word vectors", hint=hint)
        found = find_token_vectors(self.vectors)
        if found.path.is_dir():
            raise refuse_encoder(self.name)
        return WordVectors(self.vectors, found.digest, "none", self.lowercase)

    def prepare(self, testset: TestSet) -> Meant:
        """This metric with the weights of roles that it needs."""
        if self.similarity == "vectors":
            self._word_vectors()
        if self.weights == "uniform":
            return self
        frames = self._frames(texts_of_references(testset, self.frames))[1]
        counts = Counter(_role(label) for column in frames for label in column.labels)
        return dataclasses.replace(self, role_counts=dict(counts))

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from super().advice(testset)
        yield from frame_advice(self.frames, self.name, testset)
        if self.similarity == "vectors":
            references, outputs = testset.layer_texts("tokens")
            columns = {
                f"reference '{name}'": column for name, column in zip(testset.references, references, strict=True)
            }
            columns |= {f"'{name}'": column for name, column in zip(testset.outputs, outputs, strict=True)}
            yield from self._word_vectors().notes(columns, self.name)

    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        tokens, frames = self._frames(texts)
        compare = self._comparison(texts, tokens, runtime)
        references, outputs = frames[: len(texts.references)], frames[len(texts.references) :]
        table = np.empty((len(references), len(outputs), len(tokens.present[0]), 2))
        for r, reference in enumerate(references):
            for s, output in enumerate(outputs):
                words = tokens.rows[r], tokens.rows[len(references) + s]
                similarity = _PhraseSimilarity((reference, output), words, len(tokens.words), compare)
                table[r, s] = self._values(reference, output, similarity)
        return table

    def _frames(self, texts: LayerTexts) -> tuple[TokenizedTexts, list[ColumnFrames]]:
        (tokens,) = texts.split("tokens", lowercase=self.lowercase)
        references = [f"reference '{name}'" for name in texts.references]
        check_lengths(tokens, self.name, (*references, *(f"'{name}'" for name in texts.outputs)), 0)
        return tokens, frames_in(texts, self.frames, tokens)

    def _comparison(self, texts: LayerTexts, tokens: TokenizedTexts, runtime: Runtime) -> Comparison:
        if self.similarity == "vectors":
            vectors, _ = self._word_vectors().open(runtime).lookup(tokens.words)
            return by_vectors(EmbeddedTexts(tokens, vectors), "all", runtime.threads)
        names = texts.outputs, texts.references
        return by_form(tokens, self.name, names, runtime.threads, 0, exact=self.similarity == "exact")

    def _values(self, reference: ColumnFrames, output: ColumnFrames, similarity: _PhraseSimilarity) -> Table:
        """(segment, [value, 1]); zeros where neither side has a frame, unless these score 1."""
        pairs = products(reference.frames_by_segment(), output.frames_by_segment())
        of_predicates = similarity(reference.frames[pairs[1]], output.frames[pairs[2]])
        chosen = best_pairs(pairs, of_predicates)
        first, second = pairs[1][chosen], pairs[2][chosen]
        matched = self._weight(PREDICATE) * of_predicates[chosen]
        matched += self._matched_arguments(reference, output, first, second, similarity)
        precision, recall = self._mean(output, second, matched), self._mean(reference, first, matched)
        both = precision + recall
        value = 2 * precision * recall / np.where(both > 0, both, 1.0)
        is_frameless = (np.diff(reference.segments) == 0) & (np.diff(output.segments) == 0)
        if self.frameless == "one":
            value[is_frameless] = 1.0
            is_frameless = np.zeros_like(is_frameless)
        return np.stack([value, ~is_frameless], axis=-1)

    def _matched_arguments(
        self,
        reference: ColumnFrames,
        output: ColumnFrames,
        first: Places,
        second: Places,
        similarity: _PhraseSimilarity,
    ) -> FloatArray:
        """For each pair of frames: the sum over their best pairs of arguments in the same role."""
        pairs = products(reference.arguments_of(first), output.arguments_of(second))
        roles, others = (
            np.array([_role(label) for label in side.labels], dtype=object) for side in (reference, output)
        )
        is_same = np.array(roles[pairs[1]] == others[pairs[2]], dtype=np.bool_)
        values = np.zeros(len(is_same))
        values[is_same] = similarity(pairs[1][is_same], pairs[2][is_same])
        chosen = best_pairs(pairs, values)
        weights = np.array([self._weight(role) for role in roles], dtype=np.float64)[pairs[1]]
        sums: FloatArray = np.zeros(len(first))
        np.add.at(sums, pairs[0][chosen], (weights * values)[chosen])
        return sums

    def _mean(self, side: ColumnFrames, aligned: Places, matched: FloatArray) -> FloatArray:
        """For each segment: the mean over its frames of what is matched, weighted by how many words they have."""
        weights = side.per_frame(np.array([self._weight(_role(label)) for label in side.labels], dtype=np.float64))
        share = np.zeros(len(weights))
        share[aligned] = matched / np.where(weights > 0, weights, 1.0)[aligned]
        coverage = side.coverage
        if self.unaligned == "ignored":
            coverage = np.where(np.isin(np.arange(len(weights)), aligned), coverage, 0.0)
        total = side.per_segment(coverage)
        return side.per_segment(coverage * share) / np.where(total > 0, total, 1.0)

    def _weight(self, role: str) -> float:
        if self.role_counts is None:
            return 1.0
        return self.role_counts.get(role, 0) * (_OF_PREDICATES if role == PREDICATE else 1.0)

    def defined(self, table: Table) -> Mask:
        """Where there is a value: the last column is 1."""
        return np.asarray(table)[..., -1] > 0

    def preference(self, tables: Table) -> FloatArray:
        """A reference without a frame is chosen only if there is no other."""
        return np.where(self.defined(tables), np.asarray(tables)[..., 0], np.nan)

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(np.asarray(totals, dtype=np.float64))

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"unaligned": get_args(_Unaligned), "frameless": get_args(_Frameless), "weights": get_args(_Weights)}


def _role(label: str) -> str:
    """What must be equal for two arguments to be compared: the number of an argument, or the kind of a modifier."""
    number, kind = base_label(label)
    return number or kind


@dataclass(frozen=True, slots=True, eq=False)
class _PhraseSimilarity:
    """The similarity of roles of a reference and of an output: that of their words, each with at most one other.

    It is the highest sum of similarities of words, divided by the number of words of the longer phrase.
    """

    sides: tuple[ColumnFrames, ColumnFrames]
    words: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
    """The words of both columns."""
    distinct: int
    """How many different words there are."""
    compare: Comparison

    def __call__(self, first: Places, second: Places) -> FloatArray:
        """Of these roles of the reference and of the output."""
        spans = self.sides[0].spans(first), self.sides[1].spans(second)
        pairs = products(*spans)
        similarities = self._of_words(self.words[0][pairs[1]], self.words[1][pairs[2]])
        chosen = best_pairs(pairs, similarities)
        longer = np.maximum(*(ends - starts for starts, ends in spans))
        means: FloatArray = np.bincount(pairs[0][chosen], similarities[chosen], len(first)) / longer
        return means

    def _of_words(self, first: npt.NDArray[np.int32], second: npt.NDArray[np.int32]) -> FloatArray:
        """Each different pair of words is compared once."""
        keys, places = np.unique(first.astype(np.int64) * self.distinct + second, return_inverse=True)
        columns = (
            phrases(words.astype(np.int32), np.arange(len(keys)), np.arange(len(keys)) + 1, np.ones(len(keys)))
            for words in np.divmod(keys, self.distinct)
        )
        similarities: FloatArray = self.compare((next(columns),), (next(columns),), 1)[0, 0, :, 0]
        of_pairs: FloatArray = similarities[places.reshape(-1)]
        return of_pairs
