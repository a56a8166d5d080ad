"""How often words of an annotation layer have a label, in outputs and references: tags, relations, roles, lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from assay.errors import InputError
from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, LayerTexts
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, frames_of
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = ["LabelCounts"]

_NAMED = 20
_COLUMNS = ("output", "output_labels", "reference", "reference_labels", "difference")


@metric("label-counts")
@dataclass(frozen=True)
class LabelCounts(LayerMetric):
    """How far the number of words with a label is from that of the reference; lower is better.

    score = 100 * |with the label in the output - in the reference| / all labels of the reference

    Options: layer, the annotation layer of outputs and references; label, the label, or a pattern such as V*. The label
    of a word is its value, in `dependencies` its relation, in `sempos` its class; those of `roles` are of frames. With
    several references the closest one is used.
    """

    labels = ("Label-counts",)
    undefined = "the references have no labels"

    layer: str = "pos"
    label: str = "*"

    def __post_init__(self) -> None:
        if not self.layer or not self.label or self.layer in ("reference", "source"):
            raise ValueError("a layer and a label are needed, such as layer=pos,label=VERB")

    @property
    def reference_layers(self) -> tuple[str, ...]:
        return (self.layer,)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from super().advice(testset)
        known: dict[str, None] = {}
        columns = testset.annotations.get(self.layer, {})
        for name in (*testset.outputs, *testset.references):
            for value in columns.get(name, ()):
                try:
                    known |= dict.fromkeys(_LABELS.get(self.layer, str.split)(value or ""))
                except InputError:  # `compare` says where
                    continue
            if any(fnmatchcase(label, self.label) for label in known):
                return
        if known:
            text = f"no word of outputs or references has the label '{self.label}', so that all scores are 0"
            hint = f"labels of the layer '{self.layer}': {listed(sorted(known), _NAMED)}"
            yield Note(NoteKind.SUSPECT, text, self.name, severity="warning", hint=hint)

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def columns(self) -> tuple[str, ...]:
        return _COLUMNS

    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        matches: dict[str, bool] = {}

        def is_counted(label: str) -> bool:
            if label not in matches:
                matches[label] = fnmatchcase(label, self.label)
            return matches[label]

        columns = texts.layers[self.layer]
        counts = np.zeros((len(columns), len(columns[0]), 2), dtype=np.int64)
        labels_of = _LABELS.get(self.layer, str.split)
        for number, column in enumerate(columns):
            for segment, value in enumerate(column):
                try:
                    found = list(labels_of(value or ""))
                except InputError as error:
                    raise texts.error(self.layer, number, segment, error.message, error.hint, value or "") from None
                counts[number, segment] = sum(map(is_counted, found)), len(found)
        references, outputs = counts[: len(texts.references), np.newaxis], counts[np.newaxis, len(texts.references) :]
        references, outputs = np.broadcast_arrays(references, outputs)
        difference = np.abs(outputs[..., :1] - references[..., :1])
        return np.concatenate([outputs, references, difference], axis=-1)

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        difference, labels = totals[..., 4], totals[..., 3]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(labels > 0, 100 * difference / labels, np.nan)

    def preference(self, tables: Table) -> FloatArray:
        return 1 / (1 + self.score(tables))


def _relations(value: str) -> Iterable[str]:
    return (word.partition(":")[2] for word in value.split())


def _classes(value: str) -> Iterable[str]:
    return (word.rpartition("|")[2] for word in value.split())


def _roles(value: str) -> Iterable[str]:
    return (role.label for frame in frames_of(value) for role in frame)


_LABELS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "dependencies": _relations,
    "sempos": _classes,
    "roles": _roles,
}
"""The labels of a value, if they are not the words themselves."""
