"""Base class of metrics on annotation layers, such as lemmas or dependencies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.contracts import Metric
from assay.errors import SegmentError
from assay.metrics.references import have_all, of_best_reference
from assay.metrics.tokenized_texts import TokenizedTexts, tokenize
from assay.runtime import Runtime
from assay.types import Column, FloatArray, Mask, Note, NoteKind, Table, TestSet, as_column, present

__all__ = ["LayerMetric", "LayerTexts", "segment_of", "token_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class LayerTexts:
    """Annotation layers of references and outputs; None where a segment is not compared."""

    references: tuple[str, ...]
    """The names of the references."""
    outputs: tuple[str, ...]
    """The names of the systems."""
    layers: Mapping[str, tuple[Column, ...]]
    """The columns of the references, followed by those of the outputs if the metric reads the layer of outputs."""

    def split(self, *layers: str, lowercase: bool = False) -> tuple[TokenizedTexts, ...]:
        """Split layers into words; all must have the same number. `lowercase` changes the words of the first layer."""
        texts = tuple(
            tokenize(self.layers[layer], "none", lowercase=lowercase and layer == layers[0]) for layer in layers
        )
        for layer, words in zip(layers[1:], texts[1:], strict=True):
            for column in range(len(words.rows)):
                first_lengths, lengths = texts[0].lengths(column), words.lengths(column)
                for segment in np.flatnonzero(first_lengths != lengths)[:1].tolist():
                    numbers = f"{first_lengths[segment]} and {lengths[segment]}"
                    reason = f"{layers[0]} and {layer} have different lengths ({numbers})"
                    hint = "each word has one value in every layer, with spaces between the values"
                    raise self.error(column, segment, reason, hint)
        return texts

    def error(self, column: int, segment: int, reason: str, hint: str | None) -> SegmentError:
        """The error for a segment of a column (from 0)."""
        name = (*self.references, *self.outputs)[column]
        return SegmentError(segment, f"of '{name}' has a faulty annotation: {reason}", hint=hint)

    def value_error(self, words: TokenizedTexts, number: int, reason: str, hint: str | None) -> SegmentError:
        """The error for the first word that has the value with a number."""
        places = ((column, np.flatnonzero(rows == number)) for column, rows in enumerate(words.rows))
        column, place = next((column, int(of_column[0])) for column, of_column in places if of_column.size)
        return self.error(column, segment_of(place, words.starts[column]), reason, hint)


class LayerMetric(Metric):
    """Compares outputs with references on annotation layers. Each segment is parsed once, not once per pair.

    With several references a segment is scored against the one that gives the highest score.
    """

    reference_layers: ClassVar[tuple[str, ...]]
    """The layers of a reference that the metric reads."""
    output_layers: ClassVar[tuple[str, ...]]
    """The layers of an output, which are among those of a reference."""

    @property
    def needs(self) -> frozenset[str]:
        """References, and all the layers."""
        return frozenset({"reference", *self.reference_layers, *self.output_layers})

    @abstractmethod
    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        """The statistics (reference, system, segment, column) of all pairs; those of absent texts are not used."""

    def scorable(self, testset: TestSet) -> Mask:
        """Which outputs have a text and all output layers, and a reference with a text and all reference layers."""
        has_layers = have_all(testset.outputs.values(), *self._output_columns(testset))
        return has_layers & self._has_reference(testset).any(axis=0)

    def _has_reference(self, testset: TestSet) -> Mask:
        """(reference, segment): which references have a text and all layers."""
        return have_all(testset.references.values(), *self._reference_columns(testset))

    def reference_count(self, testset: TestSet) -> str:
        """How many references with all layers the segments have that have any; `var` if that differs."""
        counts = self._has_reference(testset).sum(axis=0)
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
        """Notes on references that are not used, or not in all segments, for want of a layer."""
        if len(testset.references) < 2:
            return  # segments without a reference are not scored, which is noted
        for layer, columns in zip(self.reference_layers, self._reference_columns(testset), strict=True):
            for (name, texts), column in zip(testset.references.items(), columns, strict=True):
                is_missing = present(texts) & ~present(column)
                count = int(np.count_nonzero(is_missing))
                where = "" if count == np.count_nonzero(present(texts)) else f" in {count:,} of {len(texts):,} segments"
                if count:
                    text = f"the reference '{name}' lacks the annotation layer '{layer}'{where}, and is not used"
                    text += " there" if where else ""
                    yield Note(NoteKind.EXCLUDED, text, where=self.name, count=count, severity="warning")

    def _reference_columns(self, testset: TestSet) -> list[tuple[Column, ...]]:
        return [testset.layer_texts(layer)[0] for layer in self.reference_layers]

    def _output_columns(self, testset: TestSet) -> list[tuple[Column, ...]]:
        return [testset.layer_texts(layer)[1] for layer in self.output_layers]

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        scorable, has_reference = self.scorable(testset), self._has_reference(testset)
        layers = {
            layer: _masked(columns, has_reference)
            for layer, columns in zip(self.reference_layers, self._reference_columns(testset), strict=True)
        }
        for layer, columns in zip(self.output_layers, self._output_columns(testset), strict=True):
            layers[layer] += _masked(columns, scorable)
        tables = self.compare(LayerTexts(tuple(testset.references), tuple(testset.outputs), layers), runtime)
        tables[~(has_reference[:, np.newaxis] & scorable)] = 0
        if len(tables) == 1:
            return tables[0]  # type: ignore[no-any-return]
        scores = np.where(has_reference[:, np.newaxis], self.preference(tables), np.nan)
        return of_best_reference(tables, scores, tuple(testset.references.values()))

    def preference(self, tables: Table) -> FloatArray:
        """Scores by which the best reference is chosen: non-negative or NaN."""
        return self.score(tables)


def segment_of(place: int, starts: npt.NDArray[np.int64]) -> int:
    """The segment of the word at a place among the words of a column."""
    return int(np.searchsorted(starts, place, side="right")) - 1


def token_columns(texts: TokenizedTexts, items: Sequence[npt.NDArray[Any]]) -> tuple[_core.TokenColumn, ...]:
    """Columns for a kernel, with a number for each word of the texts."""
    return tuple(
        _core.TokenColumn(numbers.astype(np.int32, copy=False), starts, is_present, None)
        for numbers, starts, is_present in zip(items, texts.starts, texts.present, strict=True)
    )


def _masked(columns: tuple[Column, ...], is_used: Mask) -> tuple[Column, ...]:
    """The columns without the texts that are not used."""
    return tuple(
        column
        if np.array_equal(present(column), row)
        else as_column(text if is_kept else None for text, is_kept in zip(column, row.tolist(), strict=True))
        for column, row in zip(columns, is_used, strict=True)
    )
