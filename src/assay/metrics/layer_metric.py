"""Base class of metrics on annotation layers, such as lemmas or dependencies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

import numpy as np

from assay.contracts import Metric
from assay.errors import SegmentError
from assay.metrics.references import of_best_reference
from assay.runtime import Runtime
from assay.types import Column, FloatArray, Mask, Table, TestSet, head_of, present

__all__ = ["LayerMetric", "split_layers", "words_and_heads"]

ReferenceValue = TypeVar("ReferenceValue")
OutputValue = TypeVar("OutputValue")
T = TypeVar("T")


class LayerMetric(Metric, Generic[ReferenceValue, OutputValue]):
    """Compares each output with each reference by their values in some layers.

    A layer of a segment is turned into what is compared (`read_reference`, `read_output`) once, and not for each pair.
    With several references a segment is scored against the one that gives the highest score.
    """

    reference_layers: ClassVar[tuple[str, ...]]
    """The layers of a reference that the metric reads."""
    output_layers: ClassVar[tuple[str, ...]]
    """The layers of an output."""

    @property
    def needs(self) -> frozenset[str]:  # type: ignore[override]  # the layers may depend on an option
        """References, and all the layers."""
        return frozenset({"reference", *self.reference_layers, *self.output_layers})

    @abstractmethod
    def read_reference(self, *layers: str) -> ReferenceValue:
        """What is compared of a reference, from its layers. A `ValueError` says what is wrong with them."""

    @abstractmethod
    def read_output(self, *layers: str) -> OutputValue:
        """What is compared of an output, from its layers."""

    @abstractmethod
    def compare(self, reference: ReferenceValue, output: OutputValue) -> Sequence[int]:
        """The statistics of an output and a reference."""

    def rows(self, pairs: Sequence[tuple[ReferenceValue, OutputValue]], runtime: Runtime) -> Iterable[Sequence[int]]:
        """The statistics of all pairs of a reference and a system; each depends on its pair alone."""
        return (self.compare(reference, output) for reference, output in pairs)

    def scorable(self, testset: TestSet) -> Mask:
        columns = [testset.layer_texts(layer)[1] for layer in self.output_layers]
        annotated = [np.stack([present(column) for column in layer]) for layer in columns]
        has_layers: Mask = testset.scorable(self.needs) & np.all(annotated, axis=0)
        return has_layers & self._has_reference(testset).any(axis=0)

    def _has_reference(self, testset: TestSet) -> Mask:
        """(reference, segment): which references have a text and all layers."""
        layers = (tuple(testset.references.values()), *self._reference_columns(testset))
        found: Mask = np.all([[present(column) for column in columns] for columns in layers], axis=0)
        return found

    def _reference_columns(self, testset: TestSet) -> list[tuple[Column, ...]]:
        return [testset.layer_texts(layer)[0] for layer in self.reference_layers]

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        scorable, has_reference = self.scorable(testset), self._has_reference(testset)
        names = (tuple(testset.references), tuple(testset.outputs))
        references = [
            list(_read(self.read_reference, columns, name, has_reference[i]))
            for i, (name, columns) in enumerate(
                zip(names[0], zip(*self._reference_columns(testset), strict=True), strict=True)
            )
        ]
        output_columns = zip(*(testset.layer_texts(layer)[1] for layer in self.output_layers), strict=True)
        tables = np.zeros((len(references), *scorable.shape, len(self.columns)), dtype=np.int64)
        for j, (name, columns) in enumerate(zip(names[1], output_columns, strict=True)):
            outputs = list(_read(self.read_output, columns, name, scorable[j]))
            for k, values in enumerate(references):
                pairs = ((i, a, b) for i, (a, b) in enumerate(zip(values, outputs, strict=True)))
                compared = [(i, a, b) for i, a, b in pairs if a is not None and b is not None]
                for (i, _, _), row in zip(compared, self.rows([pair[1:] for pair in compared], runtime), strict=True):
                    tables[k, j, i] = row
        if len(references) == 1:
            return tables[0]  # type: ignore[no-any-return]
        scores = np.where(has_reference[:, np.newaxis], self.preference(tables), np.nan)
        return of_best_reference(tables, scores, tuple(testset.references.values()))

    def preference(self, tables: Table) -> FloatArray:
        """By what the best reference of a segment is chosen, non-negative or NaN."""
        return self.score(tables)


def split_layers(*layers: str) -> list[list[str]]:
    """The words of each layer, of which there must be the same number."""
    words = [layer.split() for layer in layers]
    if len({len(layer) for layer in words}) > 1:
        raise ValueError(f"its layers have {' and '.join(str(len(layer)) for layer in words)} values")
    return words


def words_and_heads(tokens: str, dependencies: str) -> tuple[list[str], list[int]]:
    """The words, and the place of the head of each, from 0; -1 for a root."""
    words, relations = split_layers(tokens, dependencies)
    heads = [head_of(relation) - 1 for relation in relations]
    if max(heads, default=-1) >= len(words):
        raise ValueError(f"a head has the number {max(heads) + 1}, but there are {len(words)} words")
    return words, heads


def _read(function: Callable[..., T], columns: Sequence[Column], name: str, wanted: Mask) -> Iterator[T | None]:
    """What a function reads of the segments that are wanted; None for the others."""
    for i, values in enumerate(zip(*columns, strict=True)):
        if not wanted[i]:
            yield None
            continue
        try:
            yield function(*values)
        except ValueError as error:
            raise SegmentError(i, f"of '{name}' has a faulty annotation: {error}") from None
