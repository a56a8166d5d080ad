"""Base class of metrics on annotation layers, such as lemmas or dependencies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import AnnotationError
from assay.metrics.annotated import AnnotatedMetric, masked
from assay.metrics.references import of_best_reference
from assay.metrics.tokenized_texts import TokenizedTexts, tokenize
from assay.types import Column, FloatArray, Table, TestSet
from assay.types.runtime import Runtime

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
                    raise self.error(layer, column, segment, reason, hint)
        return texts

    def error(
        self, layer: str, column: int, segment: int, reason: str, hint: str | None, value: str = ""
    ) -> AnnotationError:
        """The error for a segment of a column (from 0), or for a value in it."""
        name = (*self.references, *self.outputs)[column]
        return AnnotationError(segment, reason, layer=layer, column=name, value=value, hint=hint)

    def value_error(
        self, layer: str, words: TokenizedTexts, number: int, reason: str, hint: str | None
    ) -> AnnotationError:
        """The error for the first word that has the value with a number."""
        places = ((column, np.flatnonzero(rows == number)) for column, rows in enumerate(words.rows))
        column, place = next((column, int(of_column[0])) for column, of_column in places if of_column.size)
        segment = segment_of(place, words.starts[column])
        return self.error(layer, column, segment, reason, hint, words.words[number])


class LayerMetric(AnnotatedMetric):
    """Compares outputs with references on annotation layers. Each segment is parsed once, not once per pair.

    The layers of an output are among those of a reference. With several references a segment is scored against the one
    that gives the highest score.
    """

    @abstractmethod
    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        """The statistics (reference, system, segment, column) of all pairs; those of absent texts are not used."""

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        scorable, has_reference = self.scorable(testset), self.usable_references(testset)
        layers = {layer: masked(testset.layer_texts(layer)[0], has_reference) for layer in self.reference_layers}
        for layer in self.output_layers:
            layers[layer] += masked(testset.layer_texts(layer)[1], scorable)
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
