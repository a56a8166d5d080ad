"""YiSi with semantic roles (Lo 2019): the similarity of whole texts, and of who did what to whom."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric, masked
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
from assay.metrics.layer_metric import LayerTexts
from assay.metrics.tokenized_texts import tokenize
from assay.metrics.yisi import Yisi, YisiBlock
from assay.options.checks import check_choice
from assay.types import FloatArray, Mask, Note, Table, TestSet, base_label, present
from assay.types.runtime import Runtime
from assay.types.semantic_roles import PREDICATE

__all__ = ["YisiSrl"]

_FrameWeights = Literal["coverage", "uniform"]
_ROLE_WEIGHTS = ("references", "uniform", "lexical")

# The eight groups of roles of the original program.
_GROUPS = ("predicate", "A0", "A1", "A2", "time", "place", "cause", "other")
_KINDS: Mapping[str, tuple[str, ...]] = {
    "A2": ("BNF", "EXP", "ATR", "BEN", "INS"),
    "time": ("TMP", "TM", "FIN"),
    "place": ("LOC", "DIR", "TO", "FROM", "INTO", "EFI"),
    "cause": ("CAU", "PNC", "PRP"),
    "other": ("ADV", "DIS", "EXT", "FRQ", "MNR", "MOD", "NEG", "PRD", "REC"),
}
_KIND_GROUP = {kind: _GROUPS.index(group) for group, kinds in _KINDS.items() for kind in kinds}
_NUMBER_GROUP = {"0": 1, "1": 2, "2": 3, "3": 5, "4": 5}
_OTHER = len(_GROUPS) - 1
_PREPOSITIONS = frozenset({"FROM", "INTO", "REC", "TO"})  # after the number of an argument, they are no kinds
_PREDICATE_SHARE = 0.25  # what a predicate adds to the weight of predicates; an argument adds 1 to that of its group


@metric("yisi-srl", aliases={"yisi-1-srl": {}})
@dataclass(frozen=True)
class YisiSrl(AnnotatedMetric, Yisi):
    """YiSi-1 of words and of semantic frames together, reported as the segment mean, 0 to 1.

    score = P * R / (alpha * P + (1 - alpha) * R), with P = beta * P of frames + (1 - beta) * P of words, R alike

    Options: beta, the weight of frames; frames, where they come from (roles: the annotation layer of a role labeller;
    dependencies, a substitute: verbs and what depends on them); role_weights (references: estimated from how frequent
    roles are there; uniform; lexical: the weights of their words); frame_weights (coverage: how many words they have;
    uniform); the others are those of yisi, but words are those of the annotation layer tokens.
    """

    labels: ClassVar[tuple[str, ...]] = ("YiSi-1-SRL", "YiSi-SRL")

    beta: float = 0.2
    frames: FrameSource = "roles"
    role_weights: str = "references"
    frame_weights: _FrameWeights = "coverage"
    group_weights: tuple[float, ...] | None = field(default=None, compare=False, repr=False)
    """Of the groups of roles, estimated from the references."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("frames", self.frames, get_args(FrameSource))
        check_choice("role_weights", self.role_weights, _ROLE_WEIGHTS)
        check_choice("frame_weights", self.frame_weights, get_args(_FrameWeights))
        if not 0 <= self.beta <= 1:
            raise ValueError(f"beta must be between 0 and 1, not {self.beta:g}")
        if self.against != "reference":
            raise ValueError("frames are compared with those of a reference: against=source is for yisi-2")
        if self.tok not in ("auto", "none"):
            raise ValueError(f"tok={self.tok} has no effect: words are those of the annotation layer tokens")

    def default_tok(self, language: str | None) -> str:
        return "none"

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """The words, and what frames are read from."""
        return FRAME_LAYERS[self.frames]

    @property
    def resources(self) -> Mapping[str, str]:
        if self.group_weights is None:
            return super().resources
        return {**super().resources, "roles": "+".join(f"{weight:g}" for weight in self.group_weights)}

    def prepare(self, testset: TestSet) -> YisiSrl:
        """This metric with the weights of words and of roles, if the references set them."""
        prepared = super().prepare(self._in_words(testset))
        if not isinstance(prepared, YisiSrl):
            raise TypeError("a metric is prepared as one of another kind")
        if self.similarity == "vectors" and prepared.token_vectors().is_contextual:
            raise refuse_encoder(self.name)
        if self.role_weights != "references":
            return prepared
        texts = texts_of_references(testset, self.frames)
        weights = np.ones(len(_GROUPS))
        for column in frames_in(texts, self.frames, tokenize(texts.layers["tokens"], "none", lowercase=False)):
            weights += np.bincount(_groups(column), minlength=len(_GROUPS))
        weights[0] = 1 + _PREDICATE_SHARE * (weights[0] - 1)
        return replace(prepared, group_weights=tuple(weights.tolist()))

    def _in_words(self, testset: TestSet) -> TestSet:
        """The test set with words instead of texts, where they have all layers."""
        references, outputs = testset.layer_texts("tokens")
        references = masked(references, self.usable_references(testset))
        return replace(
            testset,
            references=dict(zip(testset.references, references, strict=True)),
            outputs=dict(zip(testset.outputs, masked(outputs, self.scorable(testset)), strict=True)),
        )

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from AnnotatedMetric.advice(self, testset)
        yield from frame_advice(self.frames, self.name, testset)
        if self.similarity == "vectors":
            for side in self.sides(self._in_words(testset)):
                yield from side.vectors.notes(side.columns, self.name, side.label)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        return super().statistics(self._in_words(testset), runtime)

    def best(self, block: YisiBlock) -> FloatArray:
        """Those of words, and those of frames, each the best over the references."""
        of_words = super().best(block)
        words = (*block.testset.references.values(), *block.testset.outputs.values())
        is_used = np.stack([present(column) for column in words])
        layers = {
            layer: masked(itertools.chain(*block.testset.layer_texts(layer)), is_used)
            for layer in self.reference_layers
        }
        texts = LayerTexts(tuple(block.testset.references), block.testset.systems, layers)
        frames = frames_in(texts, self.frames, block.texts)
        of_frames = np.stack([self._of_frames(block, frames, system) for system in range(len(texts.outputs))])
        return (1 - self.beta) * of_words + self.beta * of_frames

    def _of_frames(self, block: YisiBlock, frames: Sequence[ColumnFrames], system: int) -> FloatArray:
        """(segment, [precision, recall]) of the frames of an output.

        A role of the output takes its most similar partner in any reference, an argument one of its own group. For
        recall, each reference is compared for itself.
        """
        output = frames[block.others + system]
        groups = _groups(output)
        of_output = np.zeros(len(groups))
        recall = np.zeros(len(block.testset))
        for number, reference in enumerate(frames[: block.others]):
            similarity = _RoleSimilarity(block, self.n, (number, block.others + system), (reference, output))
            found = similarity.aligned(0)
            is_same = (_groups(reference)[found.first] == groups[found.second]) | found.is_predicate
            np.maximum.at(of_output, found.second[is_same], found.values[is_same])
            of_reference = np.zeros(len(reference.labels))
            found = similarity.aligned(1)
            of_reference[found.first] = found.values
            recall = np.maximum(recall, self._mean(block, number, reference, of_reference))
        return np.stack([self._mean(block, block.others + system, output, of_output), recall], axis=-1)

    def _mean(self, block: YisiBlock, column: int, frames: ColumnFrames, values: FloatArray) -> FloatArray:
        """For each segment: the weighted mean over its frames of the weighted means of their roles."""
        weights = self._weights_of_roles(block, column, frames)
        total = frames.per_frame(weights)
        shares = frames.per_frame(weights * values) / np.where(total > 0, total, 1.0)
        of_frames = frames.coverage if self.frame_weights == "coverage" else np.ones(len(shares))
        total = frames.per_segment(of_frames)
        return frames.per_segment(of_frames * shares) / np.where(total > 0, total, 1.0)

    def _weights_of_roles(self, block: YisiBlock, column: int, frames: ColumnFrames) -> FloatArray:
        if self.role_weights == "lexical":
            of_words = block.weights[column][block.texts.rows[column]]
            bounds = np.stack([frames.starts, frames.ends], axis=1).ravel()
            sums: FloatArray = np.add.reduceat(np.append(of_words, 0.0), bounds) if len(bounds) else np.zeros(0)
            return sums[::2]  # the others are those of what is between two roles
        return np.array(self.group_weights or (1.0,) * len(_GROUPS))[_groups(frames)]

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {**super().variants(testset), "beta": (0.2, 1.0), "role_weights": _ROLE_WEIGHTS}


@dataclass(frozen=True, slots=True, eq=False)
class _Aligned:
    """Pairs of roles of a reference and of an output, and their similarity."""

    first: Places
    second: Places
    values: FloatArray
    is_predicate: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _RoleSimilarity:
    """The similarity of roles of a reference and of an output: YiSi's of their words."""

    block: YisiBlock
    n: int
    columns: tuple[int, int]
    """The numbers of the reference and of the output in the block."""
    sides: tuple[ColumnFrames, ColumnFrames]

    def aligned(self, side: int) -> _Aligned:
        """Pairs of predicates, and of arguments of these, by precision (0) or recall (1)."""
        reference, output = self.sides
        pairs = products(reference.frames_by_segment(), output.frames_by_segment())
        predicates = self._values(reference.frames[pairs[1]], output.frames[pairs[2]], side)
        chosen = best_pairs(pairs, predicates)
        first, second = pairs[1][chosen], pairs[2][chosen]
        pairs = products(reference.arguments_of(first), output.arguments_of(second))
        arguments = self._values(pairs[1], pairs[2], side)
        kept = best_pairs(pairs, arguments)
        return _Aligned(
            np.concatenate([reference.frames[first], pairs[1][kept]]),
            np.concatenate([output.frames[second], pairs[2][kept]]),
            np.concatenate([predicates[chosen], arguments[kept]]),
            np.repeat([True, False], [len(first), int(kept.sum())]),
        )

    def _values(self, first: Places, second: Places, side: int) -> FloatArray:
        """Precision or recall of these roles."""
        texts, weights = self.block.texts, self.block.weights
        one, other = (
            phrases(texts.rows[column], *frames.spans(roles), weights[column][texts.rows[column]])
            for column, frames, roles in zip(self.columns, self.sides, (first, second), strict=True)
        )
        values: FloatArray = self.block.compare((one,), (other,), self.n)[0, 0, :, side]
        return values


def _groups(frames: ColumnFrames) -> Places:
    """The group of each role."""
    groups = {label: _group(label) for label in set(frames.labels)}
    return np.array([groups[label] for label in frames.labels], dtype=np.int64)


def _group(label: str) -> int:
    number, kind = base_label(label)
    if number == PREDICATE:
        return 0
    if kind in _KIND_GROUP and not (number and kind in _PREPOSITIONS):
        return _KIND_GROUP[kind]
    return _NUMBER_GROUP.get(number, _OTHER)
