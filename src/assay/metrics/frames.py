"""Semantic frames of all segments of a column as arrays, and the alignment of those of two columns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError, InputError
from assay.metrics.layer_metric import LayerTexts
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.types import (
    Column,
    FloatArray,
    Frame,
    Note,
    NoteKind,
    Role,
    TestSet,
    check_frames,
    check_heads,
    frames_of,
    head_of,
    present,
)
from assay.types.semantic_roles import PREDICATE

__all__ = [
    "FRAME_LAYERS",
    "ColumnFrames",
    "FrameSource",
    "Places",
    "best_pairs",
    "frame_advice",
    "frames_in",
    "phrases",
    "products",
    "refuse_encoder",
    "texts_of_references",
]

FrameSource = Literal["roles", "dependencies"]
"""Where frames come from: a role labeller, or verbs and what depends on them."""

FRAME_LAYERS: Mapping[str, tuple[str, ...]] = {
    "roles": ("tokens", "roles"),
    "dependencies": ("tokens", "pos", "dependencies"),
}
"""The layers that are read."""

Places: TypeAlias = npt.NDArray[np.int64]
"""Numbers of words, roles, frames or segments of a column, from 0."""

# Relations of Universal Dependencies, and of the English models of spaCy, by the role that they most often have.
_RELATIONS: Mapping[str, tuple[str, ...]] = {
    "ARG0": ("nsubj", "csubj", "agent", "obl:agent"),
    "ARG1": ("obj", "dobj", "ccomp", "xcomp", "attr", "oprd", "nsubj:pass", "csubj:pass", "nsubjpass", "csubjpass"),
    "ARG2": ("iobj", "dative", "obl:arg"),
    "ARGM-OBL": ("obl", "prep", "npadvmod"),
    "ARGM-ADV": ("advmod", "advcl", "neg"),
}
_ROLES = {relation: role for role, relations in _RELATIONS.items() for relation in relations}
_VERB = "VERB"


@dataclass(frozen=True, slots=True, eq=False)
class ColumnFrames:
    """The roles of a column. Those of a frame follow each other, its predicate first, and so do frames of a segment."""

    labels: tuple[str, ...]
    """Of each role."""
    starts: Places
    """The first word of each role."""
    ends: Places
    """The word after its last one."""
    frames: Places
    """Where the roles of each frame start, and the end."""
    segments: Places
    """Where the frames of each segment start, and the end."""

    @classmethod
    def of(cls, frames: Sequence[tuple[Frame, ...]], words: Places) -> ColumnFrames:
        """The frames of each segment; `words` says where the words of the segments start."""
        roles = [
            (role.label, role.start + first, role.end + first)
            for of_segment, first in zip(frames, words.tolist(), strict=False)
            for frame in of_segment
            for role in frame
        ]
        labels, starts, ends = zip(*roles, strict=True) if roles else ((), (), ())
        sizes = [len(frame) for of_segment in frames for frame in of_segment]
        counts = [len(of_segment) for of_segment in frames]
        return cls(
            labels, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64), _from(sizes), _from(counts)
        )

    @property
    def frame_of_role(self) -> Places:
        """The frame of each role."""
        return np.repeat(np.arange(len(self.frames) - 1), np.diff(self.frames))

    @property
    def segment_of_frame(self) -> Places:
        """The segment of each frame."""
        return np.repeat(np.arange(len(self.segments) - 1), np.diff(self.segments))

    def per_frame(self, values: FloatArray) -> FloatArray:
        """The sums of values of roles."""
        return _sums(self.frame_of_role, values, len(self.frames) - 1)

    def per_segment(self, values: FloatArray) -> FloatArray:
        """The sums of values of frames."""
        return _sums(self.segment_of_frame, values, len(self.segments) - 1)

    @property
    def coverage(self) -> FloatArray:
        """The words of each frame."""
        return self.per_frame((self.ends - self.starts).astype(np.float64))

    def frames_by_segment(self) -> tuple[Places, Places]:
        """Where the frames of each segment start and end."""
        return self.segments[:-1], self.segments[1:]

    def arguments_of(self, frames: Places) -> tuple[Places, Places]:
        """Where the arguments of these frames start and end."""
        return self.frames[frames] + 1, self.frames[frames + 1]

    def spans(self, roles: Places) -> tuple[Places, Places]:
        """Where the words of these roles start and end."""
        return self.starts[roles], self.ends[roles]


def _sums(groups: Places, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(groups, values, size).astype(np.float64, copy=False)  # integers if there are no values


def _from(sizes: Sequence[int]) -> Places:
    return np.cumsum([0, *sizes], dtype=np.int64)


def texts_of_references(testset: TestSet, source: FrameSource) -> LayerTexts:
    """What the frames of the references are read from, to weigh roles by how frequent they are there."""
    layers = {layer: testset.layer_texts(layer)[0] for layer in FRAME_LAYERS[source]}
    return LayerTexts(tuple(testset.references), (), layers)


def refuse_encoder(metric: str) -> ConfigError:
    """The error of a metric on frames that was given an encoder."""
    hint = "a role has whole words, and an encoder has pieces of words"
    return ConfigError(f"the metric {metric} takes vectors of words, not an encoder", hint=hint)


def frames_in(texts: LayerTexts, source: FrameSource, tokens: TokenizedTexts) -> list[ColumnFrames]:
    """The frames of all columns; a faulty value is an error with its place."""
    read = _labelled if source == "roles" else _dependent
    columns = zip(*(texts.layers[layer] for layer in FRAME_LAYERS[source]), strict=True)
    return [
        ColumnFrames.of(list(_read_column(texts, number, layers, source, read)), tokens.starts[number])
        for number, layers in enumerate(columns)
    ]


def _read_column(
    texts: LayerTexts,
    number: int,
    layers: Sequence[Column],
    source: FrameSource,
    read: Callable[..., tuple[Frame, ...]],
) -> Iterator[tuple[Frame, ...]]:
    for segment, values in enumerate(zip(*layers, strict=True)):
        if any(value is None for value in values):
            yield ()
            continue
        try:
            yield read(*values)
        except InputError as error:
            raise texts.error(source, number, segment, error.message, error.hint) from None


def _labelled(tokens: str, roles: str) -> tuple[Frame, ...]:
    frames = frames_of(roles)
    check_frames(frames, len(tokens.split()))
    return frames


def _dependent(tokens: str, pos: str, dependencies: str) -> tuple[Frame, ...]:
    """For each verb, the phrases that depend on it. Their relations stand for roles: this is no role labelling."""
    tags, values = pos.split(), dependencies.split()
    if not len(tokens.split()) == len(tags) == len(values):
        raise InputError("the layers tokens, pos and dependencies have different numbers of words")
    heads = [head_of(value) for value in values]
    check_heads(heads)
    children: dict[int, list[int]] = {}
    for word, head in enumerate(heads):
        children.setdefault(head - 1, []).append(word)
    return tuple(
        (Role(PREDICATE, verb, verb + 1), *_arguments(children, verb, values))
        for verb, tag in enumerate(tags)
        if tag == _VERB
    )


def _arguments(children: Mapping[int, Sequence[int]], verb: int, values: Sequence[str]) -> Iterator[Role]:
    for child in children.get(verb, ()):
        relation = values[child].partition(":")[2].lower()
        label = _ROLES.get(relation) or _ROLES.get(relation.partition(":")[0])
        if label is not None:
            below = [child]
            for word in below:  # which grows
                below += children.get(word, ())
            yield Role(label, min(below), max(below) + 1)


def frame_advice(source: FrameSource, metric: str, testset: TestSet) -> Iterator[Note]:
    """A note if frames are not those of a role labeller, or if the labeller found none in all of a text."""
    if source == "dependencies":
        text = "a substitute for semantic roles: verbs with the phrases that depend on them, by their relations"
        yield Note(NoteKind.PROVENANCE, text, where=metric)
        return
    for name, column in testset.annotations.get("roles", {}).items():
        segments = int(present(column).sum())
        if segments and not any(column):
            yield Note(
                NoteKind.SUSPECT,
                f"no segment of {segments:,} has a frame, so that each scores 0 where the other side has one",
                where=f"{name}, roles",
                hint="check the output of the role labeller",
            )


def products(first: tuple[Places, Places], second: tuple[Places, Places]) -> tuple[Places, Places, Places]:
    """All pairs of numbers of two ranges, for each of several pairs of ranges.

    The ranges are given by their starts and ends. Returns the number of the pair of ranges, and the numbers of each
    side; the second changes faster.
    """
    (starts, ends), (other_starts, other_ends) = first, second
    widths = other_ends - other_starts
    sizes = (ends - starts) * widths
    group = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    width = widths[group]
    return group, starts[group] + place // np.maximum(width, 1), other_starts[group] + place % np.maximum(width, 1)


def best_pairs(products: tuple[Places, Places, Places], weights: FloatArray) -> npt.NDArray[np.bool_]:
    """Of `products` with weights: the pairs of each group, with each number once, that have the highest sum."""
    from scipy.optimize import linear_sum_assignment  # slow to import

    group, first, _ = products
    chosen = np.zeros(len(weights), dtype=np.bool_)
    bounds = [*np.flatnonzero(np.diff(group, prepend=-1)).tolist(), len(group)]
    for start, end in itertools.pairwise(bounds):
        width = int(np.searchsorted(first[start:end], first[start], side="right"))
        rows, columns = linear_sum_assignment(weights[start:end].reshape(-1, width), maximize=True)
        chosen[start + rows * width + columns] = True
    return chosen


def phrases(
    words: npt.NDArray[np.int32], starts: Places, ends: Places, weights: FloatArray | None
) -> _core.TokenColumn:
    """Spans of the words of a column, as texts of a column for a kernel; `weights` are those of the words."""
    lengths = ends - starts
    firsts = _from(lengths.tolist())
    places = np.arange(firsts[-1]) + np.repeat(starts - firsts[:-1], lengths)
    present = np.ones(len(starts), dtype=np.bool_)
    return _core.TokenColumn(
        np.ascontiguousarray(words[places]), firsts, present, None if weights is None else weights[places]
    )
