"""Base class of metrics that read annotation layers, such as lemmas or dependencies, of references and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from assay.contracts import Metric
from assay.types import Column, Mask, Note, NoteKind, TestSet, as_column, present
from assay.types.note import plural

__all__ = ["AnnotatedMetric", "masked"]


class AnnotatedMetric(Metric):
    """A metric that needs annotation layers of references and of outputs; with some options perhaps none.

    An output without one of its layers is not scored, and a reference without one of its layers is not used.
    """

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """The layers of a reference that the metric reads."""
        return ()

    @property
    def output_layers(self) -> tuple[str, ...]:
        """The layers of an output: the same, unless a metric reads less of it."""
        return self.reference_layers

    @property
    def needs(self) -> frozenset[str]:
        """References, and all the layers."""
        return frozenset({"reference", *self.reference_layers, *self.output_layers})

    def scorable(self, testset: TestSet) -> Mask:
        """Which cells have all texts, an output with all its layers, and a reference with all its layers."""
        cells = testset.scorable(self.needs & {"reference", "source"})
        if self.output_layers:
            cells &= _have_all(testset.outputs.values(), *self._output_columns(testset))
        return cells & self.usable_references(testset).any(axis=0) if self.reference_layers else cells

    def usable_references(self, testset: TestSet) -> Mask:
        """(reference, segment): which references have a text and all layers."""
        return _have_all(testset.references.values(), *self._reference_columns(testset))

    def reference_count(self, testset: TestSet) -> str:
        """How many references with all layers the segments have that have any; `var` if that differs."""
        if not self.reference_layers:
            return super().reference_count(testset)
        counts = self.usable_references(testset).sum(axis=0)
        numbers = np.unique(counts[counts > 0]).tolist() or [0]
        return str(numbers[0]) if len(numbers) == 1 else "var"

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        """Those of references and of outputs, if the metric reads both."""
        columns = testset.annotations.get(layer, {})
        names = (
            *(testset.references if layer in self.reference_layers else ()),
            *(testset.outputs if layer in self.output_layers else ()),
        )
        return (columns[name] for name in names if name in columns)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """Notes on references that are not used, or not in all segments, because they lack a layer."""
        if len(testset.references) < 2:
            return  # segments without a reference are not scored, which is noted
        for name, texts in testset.references.items():
            layers = {layer: testset.annotations.get(layer, {}).get(name) for layer in self.reference_layers}
            gaps = {
                layer: present(texts) & ~(False if column is None else present(column))
                for layer, column in layers.items()
            }
            lacking = [f"'{layer}'" for layer, gap in gaps.items() if gap.any()]
            if lacking:
                count = int(np.count_nonzero(np.any(list(gaps.values()), axis=0)))
                is_everywhere = count == np.count_nonzero(present(texts))
                where, there = (
                    ("", "") if is_everywhere else (f" in {count:,} of {plural(len(texts), 'segment')}", " there")
                )
                kind = "annotation layer" if len(lacking) == 1 else "annotation layers"
                text = f"the reference '{name}' lacks the {kind} {' and '.join(lacking)}{where}, and is not used{there}"
                yield Note(NoteKind.EXCLUDED, text, where=self.name, count=count, severity="warning")

    def _reference_columns(self, testset: TestSet) -> list[tuple[Column, ...]]:
        return [testset.layer_texts(layer)[0] for layer in self.reference_layers]

    def _output_columns(self, testset: TestSet) -> list[tuple[Column, ...]]:
        return [testset.layer_texts(layer)[1] for layer in self.output_layers]


def masked(columns: Iterable[Column], is_used: Mask) -> tuple[Column, ...]:
    """The columns without the texts that are not used."""
    return tuple(
        column
        if np.array_equal(present(column), row)
        else as_column(text if is_kept else None for text, is_kept in zip(column, row.tolist(), strict=True))
        for column, row in zip(columns, is_used, strict=True)
    )


def _have_all(*layers: Iterable[Column]) -> Mask:
    """(column, segment): whether the texts, and all annotation layers given with them, have a value."""
    is_present: Mask = np.all([[present(column) for column in columns] for columns in layers], axis=0)
    return is_present
